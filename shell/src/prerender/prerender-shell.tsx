import { type Frame, fragmentSettings, missingRemotesPlaceholder, type ShellManifest } from '@daybook/contract';
import { provideSiteSettings } from '@daybook/platform/host';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from '../app.tsx';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { createMemoryRouter } from '../router/react-router.ts';
import { unknownPath } from '../router/unknown-path.tsx';

/** Where the page goes. */
const hole = <i data-hole="" />;

/** The tree that the browser renders, so that it hydrates what is rendered here. */
function render(page: { readonly path: string; readonly element: ReactElement; readonly handle?: unknown }): string {
  const router = createMemoryRouter([{ element: <FrameLayout />, children: [page] }]);
  return renderToString(<App router={router} />);
}

function renderFrame(frame: Frame) {
  const handle = { route: { frame } };
  const [before = '', after = ''] = render({ path: '/', element: hole, handle }).split(renderToString(hole));
  return { before, after };
}

/** What the shell draws itself, as HTML for the shell server; called by the build, in Node. */
export function prerenderShell(): Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'> {
  provideSiteSettings(fragmentSettings);
  return {
    frames: { site: renderFrame('site'), privacy: renderFrame('privacy'), bare: renderFrame('bare') },
    notFoundPage: render(unknownPath([])),
    missingRemotesPage: render(unknownPath([missingRemotesPlaceholder])),
  };
}
