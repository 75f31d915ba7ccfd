import { type PageData, pageDataElementId } from '@daybook/contract';

/** Reads what the shell server put into this page. */
export function readPageData(): PageData {
  const text = document.getElementById(pageDataElementId)?.textContent;
  if (!text) throw new Error(`The page has no #${pageDataElementId}: it was not made by the shell server.`);
  return JSON.parse(text) as PageData;
}
