import type { PageRouteDefinition } from '@daybook/platform/page';
import { Container, PageHeading, Prose } from '@daybook/ui';
import styles from './template.module.css';

export const route = {
  path: '/template',
  title: 'Template',
  description: 'Template: write here in a sentence what readers find on this page. Search engines show it.',
  frame: 'site',
} satisfies PageRouteDefinition;

export default function Page() {
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
