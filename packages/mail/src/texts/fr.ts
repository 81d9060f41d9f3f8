import type { MailTexts } from "./en.ts";

export const fr: MailTexts = {
  hello: (name) => `Bonjour ${name},`,
  helloUnknown: "Bonjour,",
  fact: {
    app: "Application",
    shop: "Boutique",
    scope: "Autorisée à",
    by: "Par",
    person: "Personne",
    device: "Appareil",
    address: "Adresse réseau",
    time: "Date et heure",
  },
  us: "nous",
  connectedApps: "Voir les applications reliées",
  partnerPages: "Voir les pages partenaires",
  newPassword: "Choisir un nouveau mot de passe",
  ifWrong: {
    app: "Si ce n’était pas vous, déconnectez-y l’application et choisissez un nouveau mot de passe.",
    account: "Si ce n’était pas vous, choisissez un nouveau mot de passe. Vous serez alors déconnecté partout.",
    appOnly: "Si cela ne doit pas être, déconnectez-y l’application.",
    accountElsewhere:
      "Si ce n’était pas vous, déconnectez-vous partout sur la page de vos applications reliées, et protégez le compte avec lequel vous vous connectez.",
  },
  footer: (product, host) =>
    `${product} envoie cet e-mail automatiquement. Tous ses liens mènent à ${host}. Nous ne demandons jamais votre mot de passe par e-mail.`,
  new_account: {
    subject: (f) => `Votre compte chez ${f.product}`,
    lead: (f) =>
      `${f.product} a créé un compte pour ${f.email}. Avec ce lien, vous choisissez le mot de passe et pouvez ensuite vous connecter.`,
    action: "Choisir le mot de passe",
    note: "Le lien fonctionne une fois et pendant sept jours. Ensuite, demandez-en un autre sous «\u00a0Mot de passe oublié\u00a0?\u00a0» sur la page de connexion. Si vous ne savez pas à quoi sert ce compte, vous n’avez rien à faire.",
  },
  reset_password: {
    subject: () => "Choisir un nouveau mot de passe",
    lead: (f) => `Ce lien vous permet de choisir un nouveau mot de passe pour votre compte ${f.email}.`,
    action: "Choisir un mot de passe",
    note: "Le lien fonctionne une seule fois, pendant 30 minutes. Si vous ne l’avez pas demandé, vous n’avez rien à faire : votre mot de passe reste le même.",
  },
  app_connected: {
    subject: (f) => `${f.app} est reliée à ${f.shop}`,
    lead: (f) => `L’application ${f.app} a maintenant accès à ${f.shop}. Vous pouvez y mettre fin à tout moment.`,
  },
  app_widened: {
    subject: (f) => `${f.app} a plus de droits sur ${f.shop}`,
    lead: (f) => `L’application ${f.app} a reçu de nouveaux droits sur ${f.shop}. Ce qui est nouveau :`,
  },
  app_disconnected: {
    subject: (f) => `${f.app} n’est plus reliée à ${f.shop}`,
    lead: (f) =>
      f.isReplay
        ? `Par sécurité, nous avons déconnecté l’application ${f.app} de ${f.shop} : elle a renvoyé un code déjà utilisé, qui a pu être divulgué. Reliez-la de nouveau si vous l’utilisez.`
        : f.by === null
          ? `Nous avons déconnecté l’application ${f.app} de ${f.shop}. Elle n’a plus accès à rien.`
          : `L’application ${f.app} a mis fin à sa connexion avec ${f.shop}. Elle n’a plus accès à rien.`,
  },
  member_added: {
    subject: (f) => `${f.person} peut maintenant relier des applications à ${f.shop}`,
    lead: (f) => `${f.person} fait maintenant partie de ${f.shop}, et peut relier et déconnecter des applications.`,
  },
  member_removed: {
    subject: (f) => `${f.person} ne fait plus partie de ${f.shop}`,
    lead: (f) => `${f.person} ne peut plus ouvrir les pages de ${f.shop}. Les applications reliées le restent.`,
  },
  password_changed: {
    subject: () => "Votre mot de passe a été changé",
    lead: (f) => `Le compte ${f.email} a un nouveau mot de passe.`,
  },
  second_factor_changed: {
    subject: () => "La sécurité de votre compte a été modifiée",
    lead: (f) => `Ce qui a changé dans le compte ${f.email} :`,
    change: {
      passkey_added: "Une clé d’accès a été ajoutée.",
      passkey_removed: "Une clé d’accès a été retirée.",
      removed_by_us: "Nous avons retiré toutes les clés d’accès, à la demande d’une personne qui en avait perdu une.",
    },
  },
  new_device: {
    subject: () => "Nouvelle connexion à votre compte",
    lead: (f) => `Quelqu’un s’est connecté au compte ${f.email} depuis un appareil que nous ne connaissions pas.`,
  },
  client_secret_made: {
    subject: (f) => `${f.app} a un nouveau secret`,
    lead: (f) =>
      `L’application ${f.app} a un nouveau secret client. Si personne de chez vous ne l’a créé, mettez-y fin sur les pages partenaires.`,
  },
  client_secret_ended: {
    subject: (f) => `Un secret de ${f.app} a pris fin`,
    lead: (f) =>
      `L’ancien secret client de l’application ${f.app} a pris fin avant son terme. Les appels qui l’utilisent sont refusés.`,
  },
  client_member_added: {
    subject: (f) => `${f.person} peut désormais ouvrir les pages partenaires de ${f.app}`,
    lead: (f) => `${f.person} peut désormais ouvrir les pages partenaires de l’application ${f.app}.`,
  },
  client_member_removed: {
    subject: (f) => `${f.person} ne peut plus ouvrir les pages partenaires de ${f.app}`,
    lead: (f) =>
      `${f.person} ne peut plus ouvrir les pages partenaires de l’application ${f.app}. Les secrets que cette personne a vus restent valables.`,
  },
  test: {
    subject: (f) => `${f.product} peut envoyer des e-mails`,
    lead: () => "Cet e-mail a été envoyé pour faire un essai. Vous n’avez rien à faire.",
  },
};
