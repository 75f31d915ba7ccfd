export { Button, ButtonLink } from './button.tsx';
export { Dialog } from './dialog.tsx';
export { Checkbox, CheckboxGroup, checkboxIdOf, Select, TextArea, TextField } from './fields.tsx';
export { PrivacyHeader, SiteFooter, SiteHeader } from './frame.tsx';
export { Container, Cover, Introduction, PageHeading, Panel, SideBySide } from './layout.tsx';
export { Prose } from './prose.tsx';
export { NeedsScript, Problem, Spinner, VisuallyHidden } from './status.tsx';
export { Tooltip, TooltipProvider } from './tooltip.tsx';
