import { earlyEventsName, laterScriptsId, pageElementId, preloadsId, toastHotkey } from '@daybook/contract/page';

/** Joins the lines of a script, whose statements end with semicolons. */
const minified = (script: string) => script.replaceAll(/\n\s*/g, '');

/** Time in ms after which a press that nothing has responded to is explained. */
const explanationDelay = 5_000;

/**
 * Runs first on every page, before the styles: the browser starts its script engine while it receives the rest. Logs the
 * document's navigation (docs/product.md, Pages), and its return from the browser's back/forward cache; the shell logs
 * those within the document. Records clicks, submits and the hotkey of the notifications before the shell's scripts have
 * loaded, which replay them: buttons would do nothing yet, and the browser would submit forms itself, with the input in
 * the URL. The loading bar is shown until then.
 *
 * Names the query's whole numbers, for the styles of pages, which are prerendered without a query.
 *
 * Explains a press that has no effect: at once if a script of the shell has failed, otherwise after a while, in words
 * that are true on a slow link too. Listens to errors of anything, since a wrong guess only explains earlier.
 *
 * Ignores all but the first click of a double click, in every document and for good: the second one undoes the first, or
 * presses what is now at its place and takes the focus from it (docs/decisions/2026-11-25-double-clicks.md).
 */
export const firstScript = minified(`{
let pressed;
const pressOnce = (event) => {
  const { type, target, detail } = event;
  if (detail > 1 && (type === 'click' || target !== pressed)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  pressed = target;
};
for (const type of ['mousedown', 'click']) addEventListener(type, pressOnce, true);
const events = new Map(), types = ['click', 'submit', 'keydown'], errors = ['error', 'unhandledrejection'];
const { dataset } = document.documentElement;
dataset.numbers = [...new URLSearchParams(location.search)].map(([name, value]) => /^\\d+$/.test(value) ? name : '').join(' ');
let failed, note, timer;
const explain = () => {
  if (failed) delete dataset.waiting;
  if (note) return;
  const link = document.createElement('a');
  link.href = '';
  link.textContent = 'reload the page';
  note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.dataset.startNote = '';
  note.append('This page has not finished loading. What you pressed counts once it has. If nothing happens, please ', link, '.');
  document.body.append(note);
};
const fail = () => {
  failed = true;
  if (events.size) explain();
};
const record = (event) => {
  const { type, target, code, submitter = null } = event;
  const early = type === 'submit' ? target :
    type === 'click' ? target.closest?.('button[type=button]') : code === '${toastHotkey}' && document.body;
  if (type === 'submit') event.preventDefault();
  if (!early) return;
  events.set(early, submitter);
  dataset.waiting = '';
  if (failed) explain();
  else timer ??= setTimeout(explain, ${explanationDelay});
};
for (const type of types) addEventListener(type, record, true);
for (const type of errors) addEventListener(type, fail, true);
globalThis.${earlyEventsName} = () => {
  for (const type of types) removeEventListener(type, record, true);
  for (const type of errors) removeEventListener(type, fail, true);
  clearTimeout(timer);
  note?.remove();
  delete dataset.waiting;
  return events;
};
const log = () => {
  try {
    console.log(location.pathname + location.search);
  } catch {}
};
addEventListener('pageshow', ({ persisted }) => persisted && log());
log();
}`);

/**
 * Loads the font in the inlined style before the first layout: Chromium would do so only after it, and first paint the
 * fallback. Browsers that block fonts reject.
 */
export const fontScript = 'document.fonts?.forEach((font) => font.load().catch(() => {}));';

/**
 * Adds a text page's scripts when the visitor does something for the first time; assistive technology only clicks. Back
 * and Forward between pages that shared a document before a reload do not load one: the page does it.
 */
export const laterScript = minified(`{
const types = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'click'];
const load = () => {
  for (const type of types) removeEventListener(type, load, true);
  document.body.append(document.getElementById('${laterScriptsId}').content.cloneNode(true));
};
for (const type of types) addEventListener(type, load, true);
const { pathname } = location, { dataset } = document.getElementById('${pageElementId}');
addEventListener('popstate', () => {
  if (location.pathname !== pathname && !('ready' in dataset)) location.reload();
});
}`);

/** Preloads a remote's files right after the first paint, which would be 20 to 30 ms later on a phone if it came first. */
export const preloadScript = minified(`
requestAnimationFrame(() => setTimeout(() =>
  document.head.append(document.getElementById('${preloadsId}').content)
));`);
