export { type Browser, type BrowserAnswer, type BrowserRequest, browser, type Page, type Send } from "./browser.ts";
export { type HtmlForm, type HtmlInput, textOf } from "./html-form.ts";
