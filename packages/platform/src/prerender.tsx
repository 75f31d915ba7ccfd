import { fragmentSettings } from '@daybook/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { PageModule } from './define-remote.ts';
import { queryClient } from './query-client.ts';
import { provideSiteSettings } from './site-settings.ts';

/**
 * A page in its neutral state, as the build renders it before anyone asks for it: without a location, and with values
 * that stand for the operator's settings.
 */
export function neutralPage({ default: Page }: PageModule): ReactElement {
  provideSiteSettings(fragmentSettings);
  return (
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>
  );
}
