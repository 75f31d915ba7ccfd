import * as text from '../../content/e-consent.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('Electronic Communications Consent', text);
