import { Checkbox } from '../checkbox/checkbox.tsx';
import { CheckboxGroup } from '../checkbox-group/checkbox-group.tsx';
import { Problem } from '../problem/problem.tsx';
import { Select } from '../select/select.tsx';
import { TextArea } from '../text-area/text-area.tsx';
import { TextField } from '../text-field/text-field.tsx';
import type { ComponentStates } from './component-states.ts';

const nothing = () => undefined;

const requestTypes = [{ value: 'access', label: 'Access My Data' }];
const categories = [
  { value: 'health', label: 'Health Information', description: 'Such as a condition' },
  { value: 'location', label: 'Precise Location Data' },
];

export const fieldStates: readonly ComponentStates[] = [
  {
    component: 'TextField',
    states: {
      empty: <TextField id="gallery-empty" name="empty" label="Full name" value="" onChange={nothing} />,
      'with a hint': (
        <TextField
          id="gallery-hint"
          name="hint"
          label="Email address"
          hint="The address that receives the newsletter."
          type="email"
          value="reader@example.com"
          onChange={nothing}
        />
      ),
      'with an error': (
        <TextField
          id="gallery-error"
          name="error"
          label="Email address"
          type="email"
          error="Please enter a valid email address"
          value="reader"
          onChange={nothing}
        />
      ),
    },
  },
  {
    component: 'Checkbox',
    states: {
      off: <Checkbox id="gallery-off" name="off" label="Health Information" checked={false} onChange={nothing} />,
      'on, with a description': (
        <Checkbox
          id="gallery-on"
          name="on"
          label="Save $150 on home security"
          description="Sponsored by Vivint."
          checked
          onChange={nothing}
        />
      ),
    },
  },
  {
    component: 'Select',
    states: {
      filled: (
        <Select
          id="gallery-select"
          name="select"
          label="Request type"
          options={requestTypes}
          value="access"
          onChange={nothing}
        />
      ),
      'with an error': (
        <Select
          id="gallery-select-error"
          name="select-error"
          label="Request type"
          error="Please choose a request type"
          options={requestTypes}
          value="access"
          onChange={nothing}
        />
      ),
    },
  },
  {
    component: 'TextArea',
    states: {
      empty: (
        <TextArea
          id="gallery-area"
          name="area"
          label="Additional comments (optional)"
          hint="Anything that helps us find your data."
          value=""
          onChange={nothing}
        />
      ),
      'with an error': (
        <TextArea
          id="gallery-area-error"
          name="area-error"
          label="Comments"
          error="Please write a comment"
          value=""
          onChange={nothing}
        />
      ),
    },
  },
  {
    component: 'CheckboxGroup',
    states: {
      'one on': (
        <CheckboxGroup
          id="gallery-group"
          name="group"
          legend="Information to limit"
          hint="Select one or more."
          options={categories}
          values={['health']}
          onChange={nothing}
        />
      ),
      'with an error': (
        <CheckboxGroup
          id="gallery-group-error"
          name="group-error"
          legend="Information to limit"
          error="Please select at least one category of sensitive information"
          options={categories}
          values={[]}
          onChange={nothing}
        />
      ),
    },
  },
  {
    component: 'Problem',
    states: { shown: <Problem>There was an error processing your request. Please try again.</Problem> },
  },
];
