import { useEffect, useEffectEvent } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { useHydrated } from './pages/remote-page.tsx';
import { Site, type SiteProps } from './router/site.tsx';

interface AppProps extends SiteProps {
  /** Called when the site works: what is shown is React's, and knows its location. */
  readonly onReady?: () => void;
}

/** The whole site in the browser. */
export function App({ onReady, ...site }: AppProps) {
  return (
    // Not as a transition, which would put off a page that is there already: the site itself defers those that are not.
    <BrowserRouter useTransitions={false}>
      <Site {...site} />
      {onReady && <Readiness onReady={onReady} />}
    </BrowserRouter>
  );
}

/** Comes last, so that the effects of all else have run; and is no part of it, so that nothing else renders again. */
function Readiness({ onReady }: { readonly onReady: () => void }) {
  const hydrated = useHydrated();
  const tell = useEffectEvent(onReady);
  useEffect(() => {
    if (hydrated) tell();
  }, [hydrated]);
  return null;
}
