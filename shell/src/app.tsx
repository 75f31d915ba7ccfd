import { QueryClientProvider, queryClient } from '@daybook/platform';
import { useEffect, useEffectEvent } from 'react';
import { useHydrated } from './first-page/use-hydrated.ts';
import { RouterProvider } from './router/react-router.ts';
import type { SiteRouter } from './router/site-router.tsx';

interface AppProps {
  readonly router: SiteRouter;
  /** Called when the site works: what is shown is React's, and knows its location. */
  readonly onReady?: () => void;
}

/** The whole site in the browser. */
export function App({ router, onReady }: AppProps) {
  const hydrated = useHydrated();
  const tell = useEffectEvent(() => onReady?.());
  useEffect(() => {
    if (hydrated) tell();
  }, [hydrated]);
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
