export { type Browser, browser, type Page } from "./browser.ts";
export { type HtmlForm, textOf } from "./html-form.ts";
