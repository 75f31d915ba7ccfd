import guide from '../../guide/senior-savings-guide.md';
import { GuideDownload } from '../guide-download/guide-download.tsx';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';
import { parseEmailAddress } from '../visitor/visitor.ts';

/** /ebook-download (product document, section 2): the senior savings guide, for whoever the address names. */
export default function EbookDownloadPage() {
  return <GuideDownload guide={guide} email={parseEmailAddress(useLiteralParameters()?.get('email') ?? null)} />;
}
