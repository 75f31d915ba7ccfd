import * as text from '../../content/terms.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('Terms of Service', text);
