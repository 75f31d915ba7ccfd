import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { Dialog } from './dialog.tsx';

// Behavior of the browser (the top layer, Escape, focus, the inert page behind) is tested in one, with the assembled
// site.
function Opener({ onClose = () => undefined }: { readonly onClose?: () => void }) {
  const [state, setState] = useState<'open' | 'closed'>('closed');
  const close = () => {
    setState('closed');
    onClose();
  };
  return (
    <>
      <button type="button" onClick={() => setState('open')}>
        Open
      </button>
      <Dialog id="test" open={state === 'open'} onClose={close} title="Where shall we send it?">
        <p>Content</p>
      </Dialog>
    </>
  );
}

const dialog = () => screen.getByRole<HTMLDialogElement>('dialog', { name: 'Where shall we send it?' });
const open = () => userEvent.click(screen.getByRole('button', { name: 'Open' }));

test('a dialog is not rendered until it is opened', async () => {
  const { container } = render(<Opener />);
  expect(screen.queryByRole('dialog')).toBeNull();
  await open();
  expect(dialog()).toBeVisible();
  expect(screen.getByText('Content')).toBeVisible();
  expect((await axe(container)).violations).toEqual([]);
});

test.each([
  ['with its button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['when the browser closes it, e.g. on Escape', () => fireEvent(dialog(), new Event('close'))],
])('a dialog closes %s', async (_how, close) => {
  const onClose = jest.fn();
  render(<Opener onClose={onClose} />);
  await open();
  await close();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a dialog closes on a press outside, but not on one that began inside', async () => {
  render(<Opener />);
  await open();
  fireEvent.mouseDown(screen.getByText('Content'));
  fireEvent.click(dialog());
  expect(dialog()).toBeVisible();

  fireEvent.mouseDown(dialog());
  fireEvent.click(dialog());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a dialog is closed, and so restores the page, when the page around it is removed', async () => {
  const close = jest.spyOn(HTMLDialogElement.prototype, 'close');
  const { unmount } = render(<Opener />);
  await open();
  const stillInPage: boolean[] = [];
  close.mockImplementation(function (this: HTMLDialogElement) {
    stillInPage.push(this.isConnected);
  });
  unmount();
  expect(stillInPage).toEqual([true]);
  close.mockRestore();
});

test.each([
  [
    'throws',
    () => {
      throw new DOMException('Not allowed', 'InvalidStateError');
    },
  ],
  ['does nothing', () => undefined],
  ['is missing', undefined],
])('a dialog opens and closes if the browser’s function %s', async (_what, replaced) => {
  const { showModal, close } = HTMLDialogElement.prototype;
  Object.assign(HTMLDialogElement.prototype, { showModal: replaced, close: replaced });
  try {
    render(<Opener />);
    await open();
    expect(dialog()).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  } finally {
    Object.assign(HTMLDialogElement.prototype, { showModal, close });
  }
});
