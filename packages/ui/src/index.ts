export { Button, type ButtonProps } from './button/button.tsx';
export type { ButtonSize, ButtonVariant } from './button/button-style.ts';
export { ButtonLink, type ButtonLinkProps } from './button-link/button-link.tsx';
export { Checkbox, type CheckboxProps } from './checkbox/checkbox.tsx';
export {
  CheckboxGroup,
  type CheckboxGroupProps,
  type CheckboxOption,
  checkboxIdOf,
} from './checkbox-group/checkbox-group.tsx';
export { Container, type ContainerProps } from './container/container.tsx';
export { Cover } from './cover/cover.tsx';
export { Dialog, type DialogProps } from './dialog/dialog.tsx';
export { Introduction, type IntroductionProps } from './introduction/introduction.tsx';
export { Logo, type LogoProps } from './logo/logo.tsx';
export { NeedsScript, type NeedsScriptProps } from './needs-script/needs-script.tsx';
export { PageHeading, type PageHeadingProps } from './page-heading/page-heading.tsx';
export { Panel, type PanelProps } from './panel/panel.tsx';
export { PrivacyHeader } from './privacy-header/privacy-header.tsx';
export { Problem, type ProblemProps } from './problem/problem.tsx';
export { Prose } from './prose/prose.tsx';
export { Select, type SelectOption, type SelectProps } from './select/select.tsx';
export { SideBySide, type SideBySideProps } from './side-by-side/side-by-side.tsx';
export { SiteFooter, type SiteFooterProps } from './site-footer/site-footer.tsx';
export { SiteHeader } from './site-header/site-header.tsx';
export { Spinner, type SpinnerProps } from './spinner/spinner.tsx';
export { TextArea, type TextAreaProps } from './text-area/text-area.tsx';
export { TextField, type TextFieldProps } from './text-field/text-field.tsx';
export { Tooltip, type TooltipProps, TooltipProvider, tooltipDelays } from './tooltip/tooltip.tsx';
export { VisuallyHidden, type VisuallyHiddenProps } from './visually-hidden/visually-hidden.tsx';
