import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import '@testing-library/jest-dom/jest-globals';

// The default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);

// jsdom has the element but not these methods; unit tests need only opening and closing. A test in Node has neither.
if (typeof HTMLDialogElement !== 'undefined')
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return;
      this.open = false;
      this.dispatchEvent(new Event('close'));
    },
  });
