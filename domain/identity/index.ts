// Identity: how people sign up, log in, and prove that they are who they were.

export {
  type CodeForm,
  type CodePurpose,
  type CodeRefusal,
  codeBound,
  type Flow,
  issueCode,
  type NewCode,
  type UsedCode,
  useCode,
  useCodeOfUser,
} from './codes.ts';
