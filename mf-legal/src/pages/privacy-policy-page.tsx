import * as text from '../../content/privacy-policy.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('Privacy Policy', text);
