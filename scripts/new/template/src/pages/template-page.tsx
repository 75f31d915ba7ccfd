import { Container, PageHeading, Prose } from '@daybook/ui';
import styles from './template-page.module.css';

/** /template */
export default function TemplatePage() {
  return (
    <Container className={styles.page}>
      <PageHeading lead="The purpose of this page in one or two sentences.">Template</PageHeading>
      <Prose>
        <h2>A first section</h2>
        <p>Its text, in paragraphs, lists and tables.</p>
      </Prose>
    </Container>
  );
}
