import * as text from '../../content/cookie-policy.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('Cookie Policy', text);
