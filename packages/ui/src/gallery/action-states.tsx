import { useState } from 'react';
import { Button } from '../button/button.tsx';
import { ButtonLink } from '../button-link/button-link.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { NeedsScript } from '../needs-script/needs-script.tsx';
import { Tooltip, TooltipProvider } from '../tooltip/tooltip.tsx';
import type { ComponentStates } from './component-states.ts';

function DialogWithOpener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open the dialog</Button>
      <Dialog id="gallery-dialog" open={open} onClose={() => setOpen(false)} title="Where shall we send it?">
        <p>Escape, the cross and a press beside it close it.</p>
      </Dialog>
    </>
  );
}

export const actionStates: readonly ComponentStates[] = [
  {
    component: 'Button',
    states: {
      primary: <Button>Subscribe</Button>,
      secondary: <Button variant="secondary">No thanks</Button>,
      quiet: <Button variant="quiet">Stop the countdown</Button>,
      large: <Button size="large">Subscribe for free</Button>,
      busy: (
        <Button busy busyLabel="Processing...">
          Unsubscribe
        </Button>
      ),
      disabled: <Button disabled>Not now</Button>,
    },
  },
  {
    component: 'ButtonLink',
    states: {
      primary: <ButtonLink href="/">Return to Home</ButtonLink>,
      secondary: (
        <ButtonLink href="/" variant="secondary">
          Return to Home
        </ButtonLink>
      ),
      'quiet, large': (
        <ButtonLink href="/" variant="quiet" size="large">
          Return to Home
        </ButtonLink>
      ),
    },
  },
  {
    component: 'Dialog',
    states: {
      'opened by a button': <DialogWithOpener />,
    },
  },
  {
    component: 'NeedsScript',
    states: {
      'seen without JavaScript': <NeedsScript>Subscribing needs JavaScript.</NeedsScript>,
    },
  },
  {
    component: 'Tooltip',
    states: {
      'on hover, focus or tap': (
        <TooltipProvider>
          <Tooltip content="Sponsors pay for the newsletter.">
            <button type="button">Sponsored</button>
          </Tooltip>
        </TooltipProvider>
      ),
    },
  },
];
