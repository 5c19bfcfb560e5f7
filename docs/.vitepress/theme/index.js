import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h, onMounted, watch } from "vue";
import "./style.css";

/** The program of the start page, beside the headline. */
const Program = {
  setup() {
    const { frontmatter } = useData();
    return () => h("div", { class: "vp-doc program", innerHTML: frontmatter.value.program });
  },
};

/**
 * Mends what the default theme gets wrong for readers of screens: a start page without a main part, and buttons in
 * buttons.
 */
function mend() {
  const content = document.querySelector(".VPContent");
  if (content?.classList.contains("is-home")) content.setAttribute("role", "main");
  else content?.removeAttribute("role");
  for (const caret of document.querySelectorAll(".VPSidebarItem .item[role=button] > .caret")) {
    for (const name of ["role", "tabindex", "aria-label"]) caret.removeAttribute(name);
  }
}

const Layout = {
  setup() {
    const { page } = useData();
    onMounted(() => watch(() => page.value.relativePath, mend, { immediate: true, flush: "post" }));
    return () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Program) });
  },
};

export const theme = { extends: DefaultTheme, Layout };

// VitePress looks for a default export.
export { theme as default };
