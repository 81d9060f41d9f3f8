import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** Replaces VitePress's page, which has no landmark, and a link whose label is not its text. */
const notFound = () =>
  h("main", { class: "vp-doc not-found" }, [
    h("h1", "There is no such page"),
    h("p", [
      "It may have another address now. The ",
      h("a", { href: "/docs/" }, "overview"),
      " describes the documentation.",
    ]),
  ]);

/** ICON_URL of site.ts. For `themeConfig.logo` the browser would look below /docs. */
const icon = () => h("img", { class: "product-icon", src: "https://icon-url.example", alt: "" });

const slots = { "not-found": notFound, "nav-bar-title-before": icon };
export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, slots) };
