import { afterEach, expect, test } from '@jest/globals';
import { act } from '@testing-library/react';
import { useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { takeEarlyInput } from './early-input.ts';

function Form() {
  const [text, setText] = useState('');
  const [agreed, setAgreed] = useState(false);
  return (
    <>
      <input value={text} onChange={({ target }) => setText(target.value)} />
      <input type="checkbox" checked={agreed} onChange={({ target }) => setAgreed(target.checked)} />
      <p>{`${text} ${agreed ? 'agreed' : 'not agreed'}`}</p>
    </>
  );
}

/** The form as the server has it. */
const html = '<input value=""><input type="checkbox"><p> not agreed</p>';

let root: Root;
afterEach(() => act(() => root.unmount()));

/** Fills a field in as a browser does from what it remembers: no key, no pointer. */
function fillIn(field: HTMLInputElement, text: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test.each([
  ['before the page is hydrated', true],
  ['while it is being hydrated', false],
])('the page knows of what was filled in %s', async (_when, before) => {
  const element = document.createElement('div');
  element.innerHTML = html;
  document.body.replaceChildren(element);
  const [field, box] = element.querySelectorAll('input');
  if (!field || !box) throw new Error('The form has no fields.');
  const fill = () => {
    fillIn(field, 'early@example.com');
    if (before) box.checked = true;
  };
  if (before) fill();
  const tell = takeEarlyInput(element);
  if (!before) fill();
  await act(async () => {
    root = hydrateRoot(element, <Form />);
  });
  await act(async () => tell());
  expect(element.querySelector('p')?.textContent).toBe(`early@example.com ${before ? 'agreed' : 'not agreed'}`);
  expect(field.value).toBe('early@example.com');
});
