import { Container } from '../container/container.tsx';
import { Cover } from '../cover/cover.tsx';
import { Introduction } from '../introduction/introduction.tsx';
import { PageHeading } from '../page-heading/page-heading.tsx';
import { Panel } from '../panel/panel.tsx';
import { Prose } from '../prose/prose.tsx';
import { SideBySide } from '../side-by-side/side-by-side.tsx';
import { Spinner } from '../spinner/spinner.tsx';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import type { ComponentStates } from './component-states.ts';

export const layoutStates: readonly ComponentStates[] = [
  {
    component: 'PageHeading',
    states: { 'with a lead': <PageHeading lead="Last Updated: May 20, 2025">Terms of Service</PageHeading> },
  },
  {
    component: 'Introduction',
    states: {
      'with a picture': (
        <Introduction
          label={<p>Sponsored</p>}
          heading="Pay less at the dentist"
          lead="A dental savings plan is a membership, not insurance."
          picture={<Panel>A picture of it.</Panel>}
        >
          <p>What the offer comes down to.</p>
        </Introduction>
      ),
    },
  },
  {
    component: 'SideBySide',
    states: {
      'two columns': (
        <SideBySide>
          <Panel>What to ask.</Panel>
          <Panel>
            <p>The form,</p>
            <p>which is longer.</p>
          </Panel>
        </SideBySide>
      ),
      'in the middle of each other': (
        <SideBySide align="center">
          <Panel>A few words.</Panel>
          <Panel>
            <p>A picture,</p>
            <p>which is higher.</p>
          </Panel>
        </SideBySide>
      ),
    },
  },
  {
    component: 'Panel',
    states: {
      plain: <Panel>A form or a note.</Panel>,
      success: <Panel tone="success">Request Submitted Successfully</Panel>,
      notice: <Panel tone="notice">This page is not available right now.</Panel>,
    },
  },
  {
    component: 'Cover',
    fullWidth: true,
    states: {
      'with light text': (
        <Cover>
          <Container>
            <p>
              Tomorrow’s page is still blank. <a href="/">Subscribe</a>
            </p>
          </Container>
        </Cover>
      ),
    },
  },
  {
    component: 'Container',
    fullWidth: true,
    states: {
      narrow: <Container width="narrow">For a form.</Container>,
      regular: <Container>For text.</Container>,
      wide: <Container width="wide">For a page of several columns.</Container>,
    },
  },
  {
    component: 'Prose',
    states: {
      'with a list and a table': (
        <Prose>
          <p>
            Text at a readable measure, with <a href="/terms">a link to the terms</a>.
          </p>
          <ul>
            <li>The newsletter is free.</li>
            <li>Leave whenever you like.</li>
          </ul>
          <table>
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col">Processed within</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>Unsubscribe</td>
                <td>48 hours</td>
              </tr>
            </tbody>
          </table>
        </Prose>
      ),
    },
  },
  {
    component: 'Spinner',
    states: { alone: <Spinner />, 'with a label': <Spinner label="Loading your offers..." /> },
  },
  {
    component: 'VisuallyHidden',
    states: {
      'read out, not shown': (
        <p>
          Nothing to see after this colon: <VisuallyHidden>said to screen readers</VisuallyHidden>
        </p>
      ),
    },
  },
];
