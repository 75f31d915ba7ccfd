import { componentsRoute } from '@daybook/contract';
import { PageLoading } from '../pages/page-loading.tsx';

/** Pages of `npm run dev`; a production build has none of them, nor of what they import. */
export const developmentRoutes =
  process.env.NODE_ENV === 'development'
    ? [
        {
          path: componentsRoute.path,
          handle: { route: componentsRoute },
          lazy: () => import('./components-page.tsx'),
          hydrateFallbackElement: <PageLoading />,
        },
      ]
    : [];
