import { useMemo } from 'react';
import { parseWebAddress } from '../new-tab/web-address.ts';
import { Redirect } from '../redirect/redirect.tsx';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';

/** /redirect (product document, section 2): leads to the website that its address names, or home. */
export default function RedirectPage() {
  const parameters = useLiteralParameters();
  const address = useMemo(() => parameters && (parseWebAddress(parameters.get('url')) ?? null), [parameters]);
  return <Redirect key={address?.href} address={address} />;
}
