import { RouterProvider } from './router/react-router.ts';
import type { SiteRouter } from './router/site-router.tsx';

/** The whole site in the browser. */
export function App({ router }: { readonly router: SiteRouter }) {
  return <RouterProvider router={router} />;
}
