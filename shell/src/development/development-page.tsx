import { componentsRoute } from '@daybook/contract';
import { lazy, Suspense } from 'react';
import { PageLoading } from '../pages/page-loading.tsx';
import type { OwnContent } from '../router/content.tsx';

/** A page of `npm run dev`; a production build has none of them, nor of what they import. */
export function developmentPage(pathname: string): OwnContent | undefined {
  if (process.env.NODE_ENV !== 'development' || pathname !== componentsRoute.path) return undefined;
  return {
    kind: 'own',
    route: componentsRoute,
    element: (
      <Suspense fallback={<PageLoading />}>
        <ComponentsPage />
      </Suspense>
    ),
  };
}

const ComponentsPage = lazy(() => import('./components-page.tsx'));
