import { fragmentSettings } from '@daybook/contract/page';
import type { ReactElement } from 'react';
import type { PageModule } from './page.ts';
import { provideSiteSettings } from './shared-state.ts';

/** Returns a page for the prerenderer: without a location, and with placeholders for the operator's settings. */
export function neutralPage({ default: Page }: PageModule): ReactElement {
  provideSiteSettings(fragmentSettings);
  return <Page />;
}
