// @ts-check
/** The rules of both games, and questions and answers, in the reader's language. */

import { html, nothing } from "../../vendor/lit/lit-element.js";
import { rulesPath } from "../../route.js";
import { language, t } from "../../texts/index.js";
import { LightElement } from "../element.js";
import "./example.js";

/**
 * @typedef {string | { list: string[] } | { table: string[][] } | { example: string, says: string }} Part a paragraph, a list, a table
 *   whose first row heads it, or a position
 * @typedef {{ id: string, heading: string, parts: Part[] }} Section
 * @typedef {{ title: string, summary: string, sections: Section[] }} RulesText
 * @typedef {"golf" | "double" | "questions"} About
 */

/** @type {About[]} */
const PAGES = ["golf", "double", "questions"];

/** Each language's rules are loaded when they are first read. @type {Record<string, () => Promise<{ rules: Record<About, RulesText> }>>} */
const LANGUAGES = {
  en: () => import("../../texts/rules/en.js"),
  hu: () => import("../../texts/rules/hu.js"),
  vi: () => import("../../texts/rules/vi.js"),
};

class RulesPage extends LightElement {
  static properties = { about: { type: String }, language: { type: String }, rules: { state: true } };

  constructor() {
    super();
    this.about = "";
    this.language = "";
    /** @type {Record<About, RulesText> | undefined} */
    this.rules = undefined;
  }

  /** @param {Map<string, unknown>} changed */
  async willUpdate(changed) {
    if (!changed.has("language")) return;
    const tag = language();
    const { rules } = await LANGUAGES[tag]();
    if (tag === language()) this.rules = rules;
  }

  render() {
    const about = /** @type {About} */ (this.about);
    const text = this.rules?.[about];
    if (this.rules && !text) return html`<section class="panel"><h1>${t().notFound}</h1>${pageList(this.about)}</section>`;
    document.title = `${text?.title ?? t().rulesPage} · Fairdeal`;
    if (!text) return nothing;
    return html`<div class="rules">
      <div class="contents">${pageList(about)} ${contents(text)}</div>
      <article class="panel">
        <h1>${text.title}</h1>
        <p class="inset">${text.summary}</p>
        ${text.sections.map((section) => this.section(section))}
      </article>
    </div>`;
  }

  /** @param {Section} section */
  section({ id, heading, parts }) {
    return html`<section id=${id}>
      <h2>${heading}</h2>
      ${parts.map((part) => this.shown(part))}
    </section>`;
  }

  /** @param {Part} part */
  shown(part) {
    if (typeof part === "string") return html`<p>${part}</p>`;
    if ("list" in part) return html`<ul>${part.list.map((item) => html`<li>${item}</li>`)}</ul>`;
    if ("table" in part) return tableOf(part.table);
    return html`<fd-example .of=${part.example} .says=${part.says} .language=${this.language}></fd-example>`;
  }
}

/** @param {string} shown */
function pageList(shown) {
  return html`<nav class="pages" aria-label=${t().rulesPage}>
    ${PAGES.map((page) => html`<a href=${rulesPath(page)} aria-current=${page === shown ? "page" : nothing}>${t().rulesPages[page]}</a>`)}
  </nav>`;
}

/** @param {RulesText} text */
function contents({ sections }) {
  return html`<nav class="toc" aria-label=${t().contents}>
    <ol>${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ol>
  </nav>`;
}

/** @param {string[][]} rows the first one heads it */
function tableOf([head, ...rows]) {
  return html`<div class="wide"><table class="standings">
    <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

customElements.define("fd-rules", RulesPage);
