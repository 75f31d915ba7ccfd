/** Preloads a remote's files right after the first paint, which would be 20 to 30 ms later on a phone if it came first. */
import { preloadsId } from '@daybook/contract/page';

requestAnimationFrame(() =>
  setTimeout(() => {
    const preloads = document.getElementById(preloadsId);
    if (preloads instanceof HTMLTemplateElement) document.head.append(preloads.content);
  }),
);
