import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** The language that a reader chooses in one group of programs holds in all others, and on the next pages. */
const CHOSEN = "program-language";

function chooseEverywhere(language) {
  for (const block of document.querySelectorAll(`.vp-code-group .blocks > .language-${language}:not(.active)`)) {
    const index = [...(block.parentElement?.children ?? [])].indexOf(block);
    block.closest(".vp-code-group")?.querySelectorAll("label")[index]?.click();
  }
}

const notFound = () =>
  h("main", { class: "not-found" }, [
    h("h1", "There is no such page"),
    h("p", [
      "Perhaps it has another name now. The ",
      h("a", { href: "/docs/" }, "overview"),
      " says what each is for.",
    ]),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "not-found": notFound }),
  enhanceApp({ router }) {
    if (typeof window === "undefined") return;
    addEventListener("change", ({ target, isTrusted }) => {
      const group = isTrusted && target instanceof Element ? target.closest(".vp-code-group") : null;
      const language = /language-(\w+)/.exec(group?.querySelector(".blocks > .active")?.className ?? "")?.[1];
      if (!language) return;
      localStorage.setItem(CHOSEN, language);
      chooseEverywhere(language);
    });
    const choose = () => requestAnimationFrame(() => chooseEverywhere(localStorage.getItem(CHOSEN) ?? ""));
    router.onAfterPageLoad = choose;
  },
};
