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
      <Dialog id="test" open={state === 'open'} onClose={close} title="Where should we send it?">
        <p>Content</p>
      </Dialog>
    </>
  );
}

const dialog = () => screen.getByRole<HTMLDialogElement>('dialog', { name: 'Where should we send it?' });
const open = () => userEvent.click(screen.getByRole('button', { name: 'Open' }));

test('a dialog is rendered while it is open, and closes once by its button, the browser, and a press that began outside', async () => {
  const onClose = jest.fn();
  const { container } = render(<Opener onClose={onClose} />);
  const pressFrom = (start: HTMLElement) => {
    fireEvent.mouseDown(start);
    fireEvent.click(dialog());
  };
  expect(screen.queryByRole('dialog')).toBeNull();
  await open();
  expect((await axe(container)).violations).toEqual([]);
  pressFrom(screen.getByText('Content'));
  expect(dialog()).toBeVisible();
  for (const close of [
    () => pressFrom(dialog()),
    () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
    // The browser, on Escape for example.
    () => fireEvent(dialog(), new Event('close')),
  ]) {
    await close();
    expect(screen.queryByRole('dialog')).toBeNull();
    await open();
  }
  expect(onClose).toHaveBeenCalledTimes(3);
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
