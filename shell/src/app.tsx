import { useEffect, useEffectEvent } from 'react';
import { BrowserRouter } from './router/react-router.ts';
import { Site, type SiteProps } from './router/site.tsx';

interface AppProps extends SiteProps {
  /** Called once the first page is shown and has learnt its location. */
  readonly onShown?: () => void;
}

/** The whole site in the browser. */
export function App({ onShown, ...site }: AppProps) {
  const tell = useEffectEvent(() => onShown?.());
  useEffect(() => {
    // After the render that follows hydration at once.
    const timer = setTimeout(tell);
    return () => clearTimeout(timer);
  }, []);
  return (
    <BrowserRouter>
      <Site {...site} />
    </BrowserRouter>
  );
}
