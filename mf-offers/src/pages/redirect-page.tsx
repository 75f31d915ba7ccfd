import { useSearchParameters } from '@daybook/platform';
import { useMemo } from 'react';
import { parseWebAddress } from '../new-tab/web-address.ts';
import { Redirect } from '../redirect/redirect.tsx';

/** /redirect (product document, section 2): leads to the website that its address names, or home. */
export default function RedirectPage() {
  const parameters = useSearchParameters();
  const address = useMemo(() => parameters && (parseWebAddress(parameters.get('url')) ?? null), [parameters]);
  return <Redirect key={address?.href} address={address} />;
}
