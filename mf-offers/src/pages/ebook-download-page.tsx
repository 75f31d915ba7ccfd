import { useSearchParameters } from '@daybook/platform';
import guide from '../../guide/senior-savings-guide.md';
import { GuideDownload } from '../guide-download/guide-download.tsx';
import { parseEmailAddress } from '../visitor/visitor.ts';

/** /ebook-download (product document, section 2): the senior savings guide, for whoever the address names. */
export default function EbookDownloadPage() {
  return <GuideDownload guide={guide} email={parseEmailAddress(useSearchParameters()?.get('email') ?? null)} />;
}
