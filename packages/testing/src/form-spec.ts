import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { accessibilityViolations } from './axe.ts';
import '@testing-library/jest-dom/jest-globals';

/** A form that sends one request. Its success and failure are tested if it stays on the page to show them. */
interface FormUnderTest {
  /** Renders the form, empty. */
  readonly show: () => HTMLElement;
  /** Enters valid values only. */
  readonly fill: (user: UserEvent) => Promise<unknown>;
  readonly button: string | RegExp;
  readonly busyLabel: string;
  /** While the request is in progress; otherwise the button retains the focus. */
  readonly isDisabled?: true;
  /** The message for an empty form; the control that takes the focus, or none; and what the message describes. */
  readonly invalid: {
    readonly message: string;
    readonly focused?: () => HTMLElement;
    readonly described: () => HTMLElement;
  };
  readonly success?: {
    readonly response: () => Response;
    /** The element that takes the focus, so that a screen reader announces it. */
    readonly focused: () => HTMLElement;
    readonly announced: string;
  };
  /** The message after a request without a response. */
  readonly failure?: string;
}

/** Tests what all forms have in common, and their accessibility in each state. */
export function formSpec(name: string, form: FormUnderTest) {
  const { show, fill, button, busyLabel, isDisabled, invalid, success, failure } = form;
  describe(name, () => {
    let user: UserEvent;
    let respond: () => Promise<Response>;
    const network = jest.fn<typeof fetch>(() => new Promise((resolve) => setTimeout(resolve, 1)).then(() => respond()));

    beforeEach(() => {
      jest.useFakeTimers();
      user = userEvent.setup({ delay: null });
      network.mockClear();
      respond = () => new Promise(() => undefined);
      globalThis.fetch = network;
      jest.spyOn(console, 'log').mockReturnValue();
      jest.spyOn(console, 'error').mockReturnValue();
    });
    afterEach(() => {
      jest.useRealTimers();
      jest.restoreAllMocks();
    });

    const submitButton = (label = button) => screen.getByRole<HTMLButtonElement>('button', { name: label });
    // Longer than the shortest processing time of a form, shorter than the delay of a redirect.
    const pass = () => act(() => jest.advanceTimersByTimeAsync(1_200));
    async function submit() {
      await user.click(submitButton());
      await pass();
    }
    /** By the real clock, which axe needs; timers that are pending never fire. */
    async function expectAccessible(container: HTMLElement) {
      jest.useRealTimers();
      expect(await accessibilityViolations(container)).toEqual([]);
      jest.useFakeTimers();
    }

    test('is accessible while it is empty', () => expectAccessible(show()));

    test('an empty form is not sent, names what is missing, and accepts the correction', async () => {
      const container = show();
      await user.click(submitButton());
      expect(screen.getByRole('alert')).toHaveTextContent(invalid.message);
      expect(invalid.described()).toHaveAccessibleDescription(expect.stringContaining(invalid.message));
      if (invalid.focused) expect(invalid.focused()).toHaveFocus();
      await pass();
      expect(network).not.toHaveBeenCalled();
      await expectAccessible(container);
      await fill(user);
      expect(screen.queryByRole('alert')).toBeNull();
      await user.click(submitButton());
      expect(network).toHaveBeenCalledTimes(1);
    });

    test('is busy while the request is in progress, and sends nothing more', async () => {
      const container = show();
      await fill(user);
      const pressed = submitButton();
      await act(async () => {
        pressed.focus();
        // Twice before the button can show that it is busy.
        pressed.click();
        pressed.click();
      });
      await user.click(submitButton(busyLabel));
      await user.keyboard('{Enter}');
      await pass();
      expect(submitButton(busyLabel)).toHaveAttribute('aria-disabled', 'true');
      if (isDisabled) expect(submitButton(busyLabel)).toBeDisabled();
      else expect(submitButton(busyLabel)).toHaveFocus();
      expect(network).toHaveBeenCalledTimes(1);
      await expectAccessible(container);
    });

    if (success)
      test('announces its success by moving the focus', async () => {
        respond = async () => success.response();
        const container = show();
        await fill(user);
        await submit();
        expect(success.focused()).toHaveFocus();
        expect(success.focused()).toHaveAccessibleName(success.announced);
        await expectAccessible(container);
      });

    if (failure !== undefined)
      test('announces its failure, retains the values, and can be sent again', async () => {
        respond = () => Promise.reject(new TypeError('Failed to fetch'));
        const container = show();
        await fill(user);
        const values = () => [...new FormData(submitButton().form ?? undefined)];
        const before = values();
        await submit();
        expect(screen.getByRole('alert')).toHaveTextContent(failure);
        expect(values()).toEqual(before);
        await submit();
        const [first, second] = network.mock.calls;
        expect(network).toHaveBeenCalledTimes(2);
        expect(second?.[1]?.body).toBe(first?.[1]?.body);
        await expectAccessible(container);
      });
  });
}
