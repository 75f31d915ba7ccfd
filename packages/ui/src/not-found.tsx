import { ButtonLink } from './button.tsx';
import { SideBySide } from './columns.tsx';
import { Container, PageHeading } from './layout.tsx';
import { LedgerPage } from './ledger-page.tsx';
import styles from './not-found.module.css';

interface NotFoundProps {
  readonly heading: string;
  readonly lead: string;
  readonly text: string;
  readonly home: string;
  readonly supportAddress: string;
}

export function NotFound({ heading, lead, text, home, supportAddress }: NotFoundProps) {
  return (
    <Container width="wide" className={styles.page}>
      <SideBySide align="center">
        <div>
          <PageHeading lead={lead}>{heading}</PageHeading>
          <p className={styles.text}>{text}</p>
          <p className={styles.links}>
            <ButtonLink href="/">{home}</ButtonLink>
            <a href="/unsubscribe">Unsubscribe</a>
            <a href={`mailto:${supportAddress}`}>Email support</a>
          </p>
        </div>
        <LedgerPage className={styles.picture} heading="No entry" />
      </SideBySide>
    </Container>
  );
}
