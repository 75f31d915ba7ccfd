import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import { Dialog, showDialog } from './dialog.tsx';

function Opener() {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => showDialog(ref.current)}>
        Open
      </button>
      <Dialog id="test" ref={ref} title="Where should we send it?">
        <p>Content</p>
      </Dialog>
    </>
  );
}

const dialog = () => screen.getByRole<HTMLDialogElement>('dialog', { name: 'Where should we send it?' });
const open = () => userEvent.click(screen.getByRole('button', { name: 'Open' }));

test('a dialog closes by its button, the browser, and a press that began outside', async () => {
  render(<Opener />);
  const pressFrom = (start: HTMLElement) => {
    fireEvent.mouseDown(start);
    fireEvent.click(dialog());
  };
  expect(screen.queryByRole('dialog')).toBeNull();
  await open();
  pressFrom(screen.getByText('Content'));
  expect(dialog()).toBeVisible();
  for (const close of [
    () => pressFrom(dialog()),
    () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
    // The browser, on Escape for example.
    () => {
      const element = dialog();
      element.removeAttribute('open');
      fireEvent(element, new Event('close'));
    },
  ]) {
    await close();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.documentElement).not.toHaveAttribute('data-modal');
    await open();
    expect(document.documentElement).toHaveAttribute('data-modal');
  }
});
