import { earlyEventsName } from '@daybook/contract';
import { afterEach, expect, test } from '@jest/globals';
import { act } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
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
const formHtml = '<input value=""><input type="checkbox"><p> not agreed</p>';

/** Two ways on that exclude each other. */
function Ways({ onWay }: { readonly onWay: (way: string) => void }) {
  const [taken, setTaken] = useState(false);
  return ['yes', 'no'].map((way) => (
    <button
      key={way}
      type="button"
      onClick={() => {
        if (!taken) onWay(way);
        setTaken(true);
      }}
    >
      {way}
    </button>
  ));
}

let root: Root;
afterEach(() => act(() => root.unmount()));

function page(html: string): HTMLElement {
  const element = document.createElement('div');
  element.innerHTML = html;
  document.body.replaceChildren(element);
  return element;
}

async function hydrate(element: HTMLElement, content: ReactNode): Promise<void> {
  await act(async () => {
    root = hydrateRoot(element, content);
  });
}

/** Fills a field in as a browser does from what it remembers: no key, no pointer. */
function fillIn(field: HTMLInputElement, text: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test.each([
  ['before the page is hydrated', true],
  ['while it is being hydrated', false],
])('the page knows of what was filled in %s', async (_when, before) => {
  const element = page(formHtml);
  const [field, box] = element.querySelectorAll('input');
  if (!field || !box) throw new Error('The form has no fields.');
  const fill = () => {
    fillIn(field, 'early@example.com');
    if (before) box.checked = true;
  };
  if (before) fill();
  const tell = takeEarlyInput(element);
  if (!before) fill();
  await hydrate(element, <Form />);
  await act(async () => tell());
  expect(element.querySelector('p')?.textContent).toBe(`early@example.com ${before ? 'agreed' : 'not agreed'}`);
  expect(field.value).toBe('early@example.com');
});

test('a box that was ticked and is not any more, is not ticked', async () => {
  const element = page(formHtml);
  const box = element.querySelector<HTMLInputElement>('[type="checkbox"]');
  box?.click();
  const tell = takeEarlyInput(element);
  box?.click();
  await hydrate(element, <Form />);
  await act(tell);
  expect(element.querySelector('p')?.textContent).toBe(' not agreed');
  expect(box?.checked).toBe(false);
});

test('of two buttons that exclude each other, the one that was pressed first counts', async () => {
  const element = page('<button type="button">yes</button><button type="button">no</button>');
  const [yes, no] = element.querySelectorAll('button');
  if (!yes || !no) throw new Error('The page has no buttons.');
  Object.assign(globalThis, {
    [earlyEventsName]: () =>
      new Map([
        [no, null],
        [yes, null],
      ]),
  });
  const tell = takeEarlyInput(element);
  const taken: string[] = [];
  await hydrate(element, <Ways onWay={(way) => taken.push(way)} />);
  // Not within act, which puts off what React renders until it is over.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await tell();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  expect(taken).toEqual(['no']);
});
