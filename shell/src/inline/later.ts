/** Adds a text page's scripts when the visitor does something for the first time; assistive technology only clicks. */
import { laterScriptsId, pageElementId } from '@daybook/contract/page';

const types = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'click'];

function load(): void {
  for (const type of types) removeEventListener(type, load, true);
  const scripts = document.getElementById(laterScriptsId);
  // A copy: the template stays as the server sent it.
  if (scripts instanceof HTMLTemplateElement) document.body.append(scripts.content.cloneNode(true));
}
for (const type of types) addEventListener(type, load, true);

// Back and Forward between pages that shared a document before a reload do not load one.
const { pathname } = location;
const page = document.getElementById(pageElementId);
addEventListener('popstate', () => {
  if (location.pathname !== pathname && page?.dataset.ready === undefined) location.reload();
});
