import { pageElementId } from '@daybook/contract/page';
import type { PreviewedSite } from '@daybook/releases/server';
import { html } from '../html.ts';

/** URLs of previews: this one with a token begins one. */
export const previewUrl = '/_preview';
export const leavePreviewUrl = `${previewUrl}/leave`;

/** In the flow, so that the bar covers nothing; also on paper, where a page without it would pass for the published one. */
const style = `
body { display: grid; grid-template-columns: 1fr; align-content: start }
#preview-bar, #preview-leave { padding: 0.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1f1a00; background: #ffd54a }
#preview-bar { grid-row: 1 }
#preview-bar p { margin: 0; max-inline-size: none; overflow-wrap: anywhere; color: inherit }
#preview-leave { grid-row: 2; padding-block-start: 0; border-block-end: 2px solid #1f1a00 }
#preview-leave a { font-weight: 700; color: inherit; text-decoration: underline }
#preview-leave a:focus-visible { outline: 3px solid #1f1a00; outline-offset: 2px }
#${pageElementId} { grid-row: 3; grid-column: 1 / -1; min-inline-size: 0 }
@media (min-width: 40rem) {
  body { grid-template-columns: 1fr auto }
  #preview-bar { border-block-end: 2px solid #1f1a00 }
  #preview-leave { grid-row: 1; padding-block-start: 0.5rem }
}
@media print {
  body { display: block }
  #preview-bar { border: 2px solid #1f1a00 }
  #preview-leave { display: none }
}
`;

/** Renders the bar above every page of a preview: a banner, without a script. */
export function renderPreviewBar({ remote, version, index }: PreviewedSite) {
  const what = index
    ? html`Preview of ${remote} ${version}: not published yet.`
    : html`The preview of ${remote} ${version} can’t be shown at the moment. This is the published page. Please reload it in a minute.`;
  return {
    style,
    /** Screen readers read it first. */
    before: html`<aside id="preview-bar" aria-label="Preview"><p>${what}</p></aside>`.text,
    /** Shown beside the text: the link that skips to the content stays the first one. */
    after: html`<nav id="preview-leave" aria-label="Preview"><a href="${leavePreviewUrl}">Leave the preview</a></nav>`
      .text,
  };
}
