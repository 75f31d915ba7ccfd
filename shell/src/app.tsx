import { useEffect, useEffectEvent } from 'react';
import { RouterProvider } from './router/react-router.ts';
import type { SiteRouter } from './router/site-router.tsx';

interface AppProps {
  readonly router: SiteRouter;
  /** Called once the first page is shown and has learnt its location. */
  readonly onShown?: () => void;
}

/** The whole site in the browser. */
export function App({ router, onShown }: AppProps) {
  const tell = useEffectEvent(() => onShown?.());
  useEffect(() => {
    // After the render that follows hydration at once.
    const timer = setTimeout(tell);
    return () => clearTimeout(timer);
  }, []);
  return <RouterProvider router={router} />;
}
