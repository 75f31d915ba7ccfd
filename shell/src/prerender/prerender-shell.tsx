import { type Frame, fragmentSettings, missingRemotesPlaceholder, type ShellManifest } from '@daybook/contract';
import { provideSiteSettings } from '@daybook/platform/host';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { FrameLayout, type FrameLayoutProps } from '../frame/frame-layout.tsx';
import { unknownPath } from '../router/content.tsx';

/** Where the page goes. */
const hole = <i data-hole="" />;

/** Nobody has asked for the page yet. */
const nowhere = { pathname: '', hash: '' };

/** The elements that the browser renders, so that it hydrates what is rendered here. */
const render = (route: FrameLayoutProps['route'], page: ReactElement) =>
  renderToString(
    <FrameLayout route={route} location={nowhere} isLeaving={false}>
      {page}
    </FrameLayout>,
  );

function renderFrame(frame: Frame) {
  const [before = '', after = ''] = render({ path: '', title: '', frame }, hole).split(renderToString(hole));
  return { before, after };
}

function renderUnknownPath(missing: readonly string[]): string {
  const { route, element } = unknownPath(missing);
  return render(route, element);
}

/** What the shell draws itself, as HTML for the shell server; called by the build, in Node. */
export function prerenderShell(): Pick<ShellManifest, 'frames' | 'notFoundPage' | 'missingRemotesPage'> {
  provideSiteSettings(fragmentSettings);
  return {
    frames: { site: renderFrame('site'), privacy: renderFrame('privacy'), bare: renderFrame('bare') },
    notFoundPage: renderUnknownPath([]),
    missingRemotesPage: renderUnknownPath([missingRemotesPlaceholder]),
  };
}
