// Texts of a demo exchange that its operator would write: the bank account for deposits, and the
// support address. For demo exchanges only: the account does not exist.

export const DEMO_KIT = {
  links: { helpdesk: 'mailto:support@example.com' },
  onramp: {
    eur: {
      bank: {
        type: 'manual',
        data: [
          { key: 'account_holder', label: 'Account holder', value: 'Rialto Demo Exchange' },
          { key: 'iban', label: 'IBAN', value: 'DE02 1203 0000 0000 2020 51' },
          { key: 'bic', label: 'BIC', value: 'BYLADEM1001' },
          { key: 'bank', label: 'Bank', value: 'Demo Bank' },
        ],
      },
    },
  },
};
