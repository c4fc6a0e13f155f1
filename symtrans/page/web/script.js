// Shows what the page's data says: no number is computed here.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("_data").textContent);
  const root = document.documentElement, main = document.getElementById("_main"), card = document.getElementById("_card");
  const steps = data.steps || [], written = data.written || "decimal";
  const FIRST = 0xac00, LAST = 0xd7a3; // place holders of a template
  const KEYS = ["numbers", "head", "lang", "theme", "folded", "show"];
  const first = { numbers: written, head: "", lang: root.lang, theme: "auto", folded: "", show: "" };
  let state = { ...first }, target = "", pinned = false, shown = null;
  const kept = new Map(); // what stood in a cell, a relation or a name before it was changed
  root.classList.add("js");

  // --- numbers -----------------------------------------------------------------------------
  const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  const bare = (text) => text.replace("≈", "");
  const exact = (step, place) => (step.x ? step.x[place] : bare(step.d[place]));
  const isRational = (text) => /^-?\d+(\/\d+)?$|^-?\d+\.\d+$/.test(text);

  function mathOf(text) { // a number as MathML
    const sign = text.startsWith("-") ? "<mo>−</mo>" : "", size = text.replace(/^-/, "");
    if (size === "inf") return `${sign}<mi>∞</mi>`;
    const over = size.split("/");
    if (over.length === 2) return `<mrow>${sign}<mfrac><mn>${over[0]}</mn><mn>${over[1]}</mn></mfrac></mrow>`;
    const [digits, power] = size.split("e");
    if (!power) return sign ? `<mrow>${sign}<mn>${digits}</mn></mrow>` : `<mn>${digits}</mn>`;
    const raised = power.startsWith("-") ? `<mrow><mo>−</mo><mn>${power.slice(1)}</mn></mrow>` : `<mn>${power}</mn>`;
    return `<mrow>${sign}<mn>${digits}</mn><mo>×</mo><msup><mn>10</mn>${raised}</msup></mrow>`;
  }
  function plainOf(text) { // a number as text
    const told = bare(text).replace("inf", "∞").replace(/^-/, "−"), [, digits, power] = told.match(/^([^a-z]*)e(-?\d+)$/) || [];
    return power ? `${digits}·10${[...power].map((digit) => RAISED[digit]).join("")}` : told; // a name may hold an e too
  }
  const placeOf = (step, place) => {
    const row = step.c ? Math.floor(place / step.c) + 1 : 0, column = step.c ? (place % step.c) + 1 : 0;
    return [row, column, row < 10 && column < 10 ? `${row}${column}` : `${row},${column}`];
  };
  function symbolOf(step, place) { // an entry's symbol as MathML, or nothing
    if (!step.y) return "";
    const below = `<mn>${placeOf(step, place)[2]}</mn>`;
    return step.y[1] ? `<msubsup>${step.y[0]}${below}<mtext></mtext></msubsup>`.replace("<mtext></mtext>",
      `<mtext>${escaped(step.y[1])}</mtext>`) : `<msub>${step.y[0]}${below}</msub>`;
  }
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

  const cellsOf = (table) => [...table.children].map((row) => [...row.children]);
  function entryAt(element) { // the step and the place of a cell or of a scalar's value
    const holder = element.closest("[data-s]"), step = steps[holder.dataset.s];
    if (!step.c) return { step, place: 0, holder };
    let row = [...holder.children].indexOf(element.parentElement);
    let column = [...element.parentElement.children].indexOf(element);
    if (holder.dataset.t) [row, column] = [column, row];
    return { step, place: row * step.c + column, holder };
  }
  function cellAt(holder, step, place) {
    if (!step.c) return holder;
    let row = Math.floor(place / step.c), column = place % step.c;
    if (holder.dataset.t) [row, column] = [column, row];
    return holder.children[row]?.children[column];
  }
  function change(element, html) { // put HTML in, or what was there before
    if (!kept.has(element)) { if (html === null) return; kept.set(element, element.innerHTML); }
    const wanted = html === null ? kept.get(element) : html;
    if (element.innerHTML !== wanted) element.innerHTML = wanted;
  }
  function inMode(step, place, mode) { // an entry as the mode shows it, or null for as it is written
    if (mode === "symbol") return symbolOf(step, place) || null;
    if (mode === written) return null;
    if (mode === "fraction") return step.q ? mathOf(exact(step, place)) : null;
    return step.q ? mathOf(bare(step.d[place])) : null;
  }
  const isShown = (step, mode) => mode === "symbol" ? !!step.y : mode !== written && !!step.q;

  function showNumbers(mode) {
    for (const holder of main.querySelectorAll("[data-s]")) {
      const step = steps[holder.dataset.s], line = holder.closest(".line");
      if (!holder.dataset.v && line && line.dataset.step === holder.dataset.s) continue; // its rule on numbers
      if (!step.c) change(holder, inMode(step, 0, mode));
      else cellsOf(holder).forEach((row, i) => row.forEach((cell, j) =>
        change(cell, inMode(step, holder.dataset.t ? j * step.c + i : i * step.c + j, mode))));
    }
    const stepsOf = (side) => [...side.querySelectorAll("[data-s]")].map((holder) => steps[holder.dataset.s]);
    for (const side of main.querySelectorAll(".side[data-r]")) {
      const sign = side.querySelector("mo"), own = [...stepsOf(side), ...stepsOf(side.previousElementSibling)];
      const was = kept.get(sign) || sign.textContent;
      let now = null;
      if (own.some((step) => isShown(step, mode))) {
        if (mode === "symbol") now = own.every((step) => step.y) ? "=" : null;
        else if (mode === "fraction") now = was === "=" || own.every((step) => step.q) ? "=" : "≈";
        else now = own.some((step) => step.q && step.d.some((text) => text.startsWith("≈"))) ? "≈" : null;
      }
      change(sign, now);
    }
    for (const side of main.querySelectorAll(".side[data-twin]"))
      side.hidden = stepsOf(side).every((step) => isShown(step, mode));
  }

  // --- where an entry comes from -------------------------------------------------------------
  function textOf(step) { // an entry as the card writes it
    return (place) => {
      const told = exact(step, place);
      if (state.numbers === "fraction" && isRational(told) && !told.includes(".")) return { text: plainOf(told), sure: true };
      return { text: plainOf(step.d[place]), sure: !step.d[place].startsWith("≈") };
    };
  }
  function heldBy(step) { // which entry of which operand a place holder stands for
    const sizes = step.o.map((number) => steps[number].d.length);
    return (character) => {
      let place = character.charCodeAt(0) - FIRST, operand = 0;
      while (place >= sizes[operand]) place -= sizes[operand++];
      return { step: steps[step.o[operand]], number: step.o[operand], place };
    };
  }
  const isHolder = (character) => character.charCodeAt(0) >= FIRST && character.charCodeAt(0) <= LAST;
  const templateOf = (step, place) => (step.t === undefined ? "" : data.templates[step.t][place]);

  function filled(step, place) { // the rule with the operands' numbers in it, and whether all of these are exact
    const template = templateOf(step, place), held = step.o && heldBy(step);
    if (!template || template.startsWith("!")) return null;
    let text = "", sure = true;
    [...template].forEach((character, at, all) => {
      if (!isHolder(character)) { text += character; return; }
      const { step: other, place: there } = held(character), told = textOf(other)(there);
      sure = sure && told.sure;
      const before = all[at - 1] || "", after = all[at + 1] || "";
      const negative = told.text.startsWith("−") && (before !== "" && before !== "(" && before !== "[" || after === "^");
      const compound = /[/·]/.test(told.text) && (/[\^√/]/.test(before) || /[\^/]/.test(after));
      text += negative || compound ? `(${told.text})` : told.text;
    });
    return { text, sure, plain: template.length === 1 };
  }
  function symbolic(step, place) { // the rule in symbols, as HTML
    const template = templateOf(step, place), held = step.o && heldBy(step);
    if (!template || template.startsWith("!")) return "";
    return [...template].map((character) => {
      if (!isHolder(character)) return escaped(character);
      const { step: other, place: there } = held(character), symbol = symbolOf(other, there);
      return symbol ? `<math>${symbol}</math>` : escaped(other.id);
    }).join("");
  }
  function element(name, html) { const made = document.createElement("div"); made.className = name; made.innerHTML = html; return made; }

  function light(step, place, line) {
    for (const lit of main.querySelectorAll(".lit, .here")) lit.classList.remove("lit", "here");
    if (!step.o) return;
    const held = heldBy(step);
    for (const character of new Set([...templateOf(step, place)].filter(isHolder))) {
      const { step: other, number, place: there } = held(character);
      let holders = [...line.querySelectorAll(`[data-s="${number}"]:not([data-v])`)];
      if (!holders.length) holders = [...main.querySelectorAll(`.line[data-step="${number}"] [data-s="${number}"][data-v]`)];
      for (const holder of holders) cellAt(holder, other, there)?.classList.add("lit");
    }
  }
  function show(cell) {
    const { step, place } = entryAt(cell), words = data.words[root.lang];
    light(step, place, cell.closest(".line"));
    cell.classList.add("here");
    const [row, column] = placeOf(step, place), symbol = symbolOf(step, place);
    const name = symbol ? `<math>${symbol}</math>` : escaped(step.id);
    const rule = filled(step, place), value = textOf(step)(place);
    card.replaceChildren();
    const inSymbols = symbolic(step, place);
    if (inSymbols && (state.numbers === "symbol" || !rule)) card.append(element("sum", `${name} = ${inSymbols}`));
    let told = name;
    if (rule && !(rule.plain && rule.text === value.text)) told += ` ${rule.sure ? "=" : "≈"} ${escaped(rule.text)}`;
    told += ` ${value.sure && (!rule || rule.sure) ? "=" : "≈"} ${escaped(value.text)}`;
    card.append(element("sum value", told));
    const where = words.entry_of.replace("{place}", `(${row}, ${column})`).replace("{name}", step.id);
    const known = exact(step, place);
    const more = [step.c ? where : step.id, known ? `${words.exact} ${plainOf(known)}` : words.no_exact];
    if (step.d[place].startsWith("≈")) more.push(`≈ ${plainOf(step.d[place])} (${words.certified})`);
    card.append(element("more", more.map(escaped).join(" · ")));
    card.hidden = false;
    const box = cell.getBoundingClientRect(), own = card.getBoundingClientRect();
    const side = cell.closest(".side").getBoundingClientRect();
    const below = side.bottom + 6, above = side.top - own.height - 6;
    card.style.left = `${Math.max(8, Math.min(box.left - 12, innerWidth - own.width - 8))}px`;
    card.style.top = `${below + own.height < innerHeight || above < 0 ? below : above}px`;
    shown = cell;
  }
  function hide() {
    for (const lit of main.querySelectorAll(".lit, .here")) lit.classList.remove("lit", "here");
    card.hidden = true;
    shown = null;
    pinned = false;
  }
  function entryUnder(node) { // the cell of a value that an event is about
    const holder = node.closest?.("[data-v]");
    if (!holder) return null;
    return steps[holder.dataset.s].c ? node.closest("mtd") : holder;
  }
  main.addEventListener("pointerover", (event) => {
    const cell = entryUnder(event.target);
    if (cell && !pinned && event.pointerType !== "touch") show(cell);
    else if (!cell && shown && !pinned && document.activeElement !== shown) hide();
  });
  main.addEventListener("focusin", (event) => { const cell = entryUnder(event.target); if (cell) show(cell); else if (shown) hide(); });

  // --- moving with the keyboard -----------------------------------------------------------------
  for (const chain of main.querySelectorAll(".chain")) {
    const stops = chain.querySelector("[data-v], [data-n]");
    chain.tabIndex = 0;
    if (stops) chain.setAttribute("role", "group");
  }
  const stopsOf = (chain) => [...chain.querySelectorAll("[data-n], mtable[data-v] mtd, mrow[data-v]")]
    .filter((stop) => !stop.closest("[hidden]"));
  function step(element, to) { if (!to) return false; to.tabIndex = -1; to.focus(); return true; }
  function moved(at, key) { // where an arrow key leads
    const chain = at.closest(".chain"), stops = stopsOf(chain);
    if (at === chain) {
      const last = [...chain.querySelectorAll("[data-v]")].filter((one) => !one.closest("[hidden]")).pop();
      if (key === "ArrowLeft" || !last) return stops[stops.length - 1];
      return last.matches("mtable") ? last.querySelector("mtd") : last;
    }
    if (at.matches("mtd") && (key === "ArrowUp" || key === "ArrowDown")) {
      const row = key === "ArrowUp" ? at.parentElement.previousElementSibling : at.parentElement.nextElementSibling;
      return row?.children[[...at.parentElement.children].indexOf(at)];
    }
    const place = stops.indexOf(at) + (key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1);
    return stops[place];
  }
  main.addEventListener("keydown", (event) => {
    const at = event.target, chain = at.closest?.(".chain");
    if (event.key.startsWith("Arrow") && chain && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (at === chain && (event.key === "ArrowUp" || event.key === "ArrowDown")) return; // the page scrolls
      if (step(at, moved(at, event.key)) || at !== chain) event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && at.dataset?.n) {
      event.preventDefault();
      go(steps[at.dataset.n].id);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    const chain = shown.closest(".chain"), within = document.activeElement === shown;
    hide();
    if (within) chain.focus();
  });

  // --- jumping ------------------------------------------------------------------------------
  function find(id) {
    const found = document.getElementById(id);
    if (!found) return;
    const head = found.closest("[data-head]");
    if (head && state.head && head.dataset.head !== state.head) set("head", "");
    if (found.closest("[data-verdict][hidden]")) set("show", "");
    for (let part = found.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    const stop = found.querySelector(":scope > .chain") || found;
    if (!stop.hasAttribute("tabindex")) stop.tabIndex = -1;
    let frames = 4; // lines that were not drawn before change their height as they come into view
    const settle = () => {
      found.scrollIntoView({ block: found.offsetHeight > innerHeight ? "start" : "center", behavior: "instant" });
      if (document.activeElement !== stop) stop.focus({ preventScroll: true });
      if (--frames) requestAnimationFrame(settle);
    };
    settle();
    found.classList.remove("found");
    void found.offsetWidth;
    found.classList.add("found");
  }
  function go(id) { target = id; find(id); write(true); }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      go(decodeURIComponent(link.getAttribute("href").slice(1)));
      return;
    }
    const cell = entryUnder(event.target);
    if (cell) { const again = pinned && shown === cell; hide(); if (!again) { show(cell); pinned = true; } return; }
    const name = event.target.closest?.("[data-n]");
    if (name && steps.length) { go(steps[name.dataset.n].id); return; }
    if (shown) hide();
  });

  // --- state, which the fragment keeps ----------------------------------------------------------
  function write(push) {
    const pieces = target ? [encodeURIComponent(target).replace(/%2F/g, "/")] : [];
    for (const key of KEYS) if (state[key] !== first[key]) pieces.push(`${key}=${encodeURIComponent(state[key])}`);
    const hash = pieces.length ? `#${pieces.join("&")}` : location.pathname + location.search;
    history[push ? "pushState" : "replaceState"](null, "", hash);
  }
  function read() {
    const wanted = { ...first };
    target = "";
    for (const piece of location.hash.slice(1).split("&").filter(Boolean)) {
      const [key, value] = piece.split(/=(.*)/s);
      if (value !== undefined && KEYS.includes(key)) wanted[key] = decoded(value);
      else target = decoded(piece);
    }
    return wanted;
  }
  function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
  const parts = () => [...main.querySelectorAll("details.part")];
  const partId = (part) => part.querySelector("summary [id]").id.slice(1);
  let folding = false;
  const apply = {
    numbers: (value) => { if (steps.length) showNumbers(value); if (shown) show(shown); },
    head: (value) => { for (const one of main.querySelectorAll("[data-head]")) one.hidden = value !== "" && one.dataset.head !== value; },
    lang: (value) => { if (data.title[value]) { root.lang = value; document.title = data.title[value]; if (shown) show(shown); } },
    theme: (value) => { if (value === "auto") delete root.dataset.theme; else root.dataset.theme = value; },
    folded: (value) => {
      folding = true;
      const closed = value.split(".");
      for (const part of parts()) part.open = value !== "all" && !closed.includes(partId(part));
      setTimeout(() => { folding = false; }, 50);
    },
    show: (value) => { for (const one of main.querySelectorAll("[data-verdict]")) one.hidden = value !== "" && !one.dataset.verdict.split(" ").includes(value); },
  };
  function press() {
    for (const button of document.querySelectorAll("button[data-set]"))
      button.setAttribute("aria-pressed", String(state[button.dataset.set] === button.dataset.value));
  }
  function set(key, value) { if (state[key] !== value) { state[key] = value; apply[key](value); } press(); }
  function restore() {
    const wanted = read();
    for (const key of KEYS) set(key, wanted[key]);
    if (target) find(target);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-set]");
    if (!button) return;
    set(button.dataset.set, button.dataset.value);
    write(false);
  });
  main.addEventListener("toggle", (event) => {
    if (folding || !event.target.matches("details.part")) return;
    state.folded = parts().filter((part) => !part.open).map(partId).join(".");
    press();
    write(false);
  }, true);
  addEventListener("beforeprint", () => { for (const part of main.querySelectorAll("details.part")) part.open = true; });
  addEventListener("popstate", restore);
  for (const wide of main.querySelectorAll(".right")) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  if (matchMedia("(max-width: 66rem)").matches) for (const list of document.querySelectorAll("nav details")) list.open = false;
  restore();
})();
