// The whole of React Router that the site uses: who is where, and how to go on. Its routers that load data would weigh
// three times as much in every page; when a page is loaded and shown, the site decides itself (use-shown-page.ts).
export { BrowserRouter, type Location, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
