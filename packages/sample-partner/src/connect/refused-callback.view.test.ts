import {
  AnswerLost,
  AuthorizationDenied,
  InvalidClient,
  InvalidGrant,
  StoreFailed,
  TokenLimitReached,
  Unavailable,
} from "@partner-connect/partner-sdk";
import { expect, test } from "vitest";
import { html } from "../page/html.ts";
import { refusedCallback } from "./refused-callback.view.ts";

const page = (error: unknown) => {
  const { title, status, main } = refusedCallback(error, html``);
  const canBeOpenedAgain = main.toString().includes(`<a class="button primary" href="">Try again</a>`);
  return { title, status, canBeOpenedAgain };
};

test.each([
  [new AuthorizationDenied("declined"), 200, "You didn’t connect a shop"],
  [new InvalidGrant(null, "code expired"), 400, "That took too long"],
  [new AnswerLost("cut"), 502, "The connection broke off"],
  [new InvalidClient("wrong secret"), 500, "We couldn’t finish this"],
])("%o ends the attempt, and the page says why", (error, status, title) => {
  expect(page(error)).toEqual({ title, status, canBeOpenedAgain: false });
});

test.each([
  [new StoreFailed("disk full"), 500, "We couldn’t keep the connection"],
  [new Unavailable("503", 5), 503, "Partner Connect can’t be reached just now"],
  [new TokenLimitReached(null, 30, "many"), 503, "Many shops are being connected just now"],
])("after %o the approval is as good as before, so the page can be opened again", (error, status, title) => {
  expect(page(error)).toEqual({ title, status, canBeOpenedAgain: true });
});

test("what is no error of the SDK is a defect, not a refusal", () => {
  const defect = new TypeError("x is not a function");
  expect(() => refusedCallback(defect, html``)).toThrow(defect);
});
