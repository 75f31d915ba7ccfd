import * as text from '../../content/california-privacy-notice.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('California Privacy Notice', text);
