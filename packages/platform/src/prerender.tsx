import { fragmentSettings } from '@daybook/contract';
import type { ReactElement } from 'react';
import type { PageModule } from './define-remote.ts';
import { provideSiteSettings } from './shared-state.ts';

/**
 * A page in its neutral state, as the build renders it before anyone asks for it: without a location, and with values
 * that stand for the operator's settings.
 */
export function neutralPage({ default: Page }: PageModule): ReactElement {
  provideSiteSettings(fragmentSettings);
  return <Page />;
}
