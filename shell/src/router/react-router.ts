// The whole of React Router that the site uses, in one place: imported by name from here it shakes down to
// half its size.
export {
  createBrowserRouter,
  createMemoryRouter,
  Outlet,
  RouterProvider,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useRouteError,
} from 'react-router-dom';
