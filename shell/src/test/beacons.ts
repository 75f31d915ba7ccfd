import type { PageReport } from '@daybook/contract/page';
import { afterEach, beforeEach } from '@jest/globals';

const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

/** Mocks the network for beacons, which jsdom lacks, and collects those of each test in a file. */
export function takeBeacons() {
  const sent: { readonly address: string; readonly data: Blob }[] = [];
  beforeEach(() => {
    sent.length = 0;
    Object.defineProperty(navigator, 'sendBeacon', {
      configurable: true,
      value: (address: string, data: Blob) => sent.push({ address, data }) > 0,
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'sendBeacon');
  });
  return {
    /** Address, type and text of each beacon so far. */
    read: () =>
      Promise.all(sent.map(async ({ address, data }) => ({ address, type: data.type, text: await textOf(data) }))),
    /** The reports so far. */
    reports: () => Promise.all(sent.map(async ({ data }) => JSON.parse(await textOf(data)) as PageReport)),
  };
}
