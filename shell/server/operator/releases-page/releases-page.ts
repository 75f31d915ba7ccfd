import type { CanaryAnalysis } from '../../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../../outcomes/release-outcomes.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf } from '../../releases/release-overview.ts';
import { releasesPageAddress, signOutAddress } from './addresses.ts';
import { html } from './html.ts';
import { logSection } from './log-section.ts';
import { timeElement } from './moments.ts';
import { type Message, renderPage } from './page-frame.ts';
import { remoteSection } from './remote-section.ts';

export interface ReleasesPage {
  readonly management: ReleaseManagement;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  /** The name of who looks at it. */
  readonly operator: string;
  readonly message?: Message | undefined;
  readonly csrfToken: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** The releases of all remotes, what became of them, and what can be done. */
export function renderReleasesPage(page: ReleasesPage): string {
  const { management, outcomes, analysis, operator, message, csrfToken, now } = page;
  const { remotes, log } = management;
  return renderPage({
    title: 'Releases',
    message,
    csrfToken,
    tools: html`<p class="as-of">As of ${timeElement(now)}. <a href="${releasesPageAddress}">Refresh</a></p>
<form class="sign-out" method="post" action="${signOutAddress}"><span>Signed in as ${operator}</span> <button type="submit">Sign out</button></form>`,
    content: html`<p class="key">In the charts a bar is five minutes: <span class="views">page views</span> stand above the line, <span class="failures">failures</span> hang below it. This server has counted them since it started.</p>
${remotes.map((remote) => remoteSection(overviewOf(remote, management), outcomes, analysis.resultOf(remote), now))}
${logSection(log, now)}`,
  });
}
