import { fragmentSettings, missingRemotesPlaceholder } from '@daybook/contract/page';
import type { Frame } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { provideSiteSettings } from '@daybook/platform/host';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { MissingRemotesPage, missingRemotesRoute, NotFoundPage } from '../pages/own-pages.tsx';

/** Position of the page. */
const hole = <i data-hole="" />;

/** The same elements that the browser renders, so that it can hydrate this markup. */
const render = (frame: Frame | undefined, page: ReactElement) =>
  renderToString(
    <FrameLayout frame={frame} isLeaving={false}>
      {page}
    </FrameLayout>,
  );

function renderFrame(frame: Frame) {
  const [before = '', after = ''] = render(frame, hole).split(renderToString(hole));
  return { before, after };
}

/** Renders the shell's own markup to HTML for the shell server; called by the build, in Node. */
export function prerenderShell(): Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'> {
  provideSiteSettings(fragmentSettings);
  return {
    frames: { site: renderFrame('site'), privacy: renderFrame('privacy'), bare: renderFrame('bare') },
    notFoundPage: render(undefined, <NotFoundPage />),
    missingRemotesPage: render(missingRemotesRoute.frame, <MissingRemotesPage missing={[missingRemotesPlaceholder]} />),
  };
}
