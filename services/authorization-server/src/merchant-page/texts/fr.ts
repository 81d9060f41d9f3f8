import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. `\u00a0` keeps a sign with its word. */
export const fr: Texts = {
  language: "fr",
  languageName: "Français",
  product: "Partner Connect",
  skipToContent: "Aller au contenu",
  plan: { standard: "forfait Standard", advanced_attribution: "forfait Attribution avancée" },
  scope: {
    "responses:read": {
      title: "Lire les réponses et les questions des sondages",
      does: "Toutes les réponses de votre clientèle, passées et à venir.",
      personalData: "les adresses e-mail et les commandes de votre clientèle",
      doesNot: "L’application ne peut rien modifier ni supprimer.",
    },
    "sources:write": {
      title: "Ajouter des sources d’attribution",
      does: "De nouvelles sources, comme des podcasts ou des chaînes, auxquelles des réponses peuvent être attribuées.",
      personalData: null,
      doesNot: "L’application ne peut pas retirer de source.",
    },
  },
  frame: { language: "Langue", help: "Aide", privacy: "Confidentialité", terms: "Conditions d’utilisation" },
  signIn: {
    title: "Se connecter",
    lead: (app) =>
      app
        ? html`${app} demande l’accès à votre boutique. Connectez-vous pour voir de quoi il s’agit. Rien n’est partagé avant votre accord.`
        : html`Connectez-vous pour voir et gérer les applications reliées à vos boutiques.`,
    email: "Adresse e-mail",
    password: "Mot de passe",
    wrong: "L’adresse e-mail ou le mot de passe est incorrect. Veuillez réessayer.",
    paused: "Votre compte est suspendu\u00a0: personne ne peut s’y connecter. Veuillez contacter le support.",
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Trop de tentatives de connexion. Veuillez réessayer dans une minute."
        : `Trop de tentatives de connexion. Veuillez réessayer dans ${minutes} minutes.`,
    outOfDate: "Cette page n’était plus à jour et rien n’a été envoyé. Veuillez vous connecter de nouveau.",
    sessionEnded:
      "Votre session est terminée et vous avez été déconnecté(e). Rien n’a été partagé. Veuillez vous reconnecter.",
    signedOut: "Vous êtes déconnecté(e).",
    passwordChanged: "Votre nouveau mot de passe est enregistré. Connectez-vous maintenant avec celui-ci.",
    forgot: "Mot de passe oublié\u00a0?",
    decline: (app) => html`Ne pas relier ${app}`,
    safety: (host) =>
      html`Vous êtes sur ${host}. Ne saisissez votre mot de passe que sur cette page. Une application n’en a jamais besoin.`,
  },
  password: {
    present: "Mot de passe actuel",
    chosen: "Nouveau mot de passe",
    repeated: "Nouveau mot de passe, une seconde fois",
    rule: "Au moins 15 caractères. Quatre ou cinq mots sans rapport entre eux sont sûrs et faciles à retenir\u00a0; les espaces sont permis. Ni votre adresse e-mail, ni votre nom, ni votre boutique, ni notre nom.",
    problem: {
      too_short: "C’est trop court\u00a0: choisissez au moins 15 caractères.",
      too_long: "C’est trop long\u00a0: choisissez au plus 256 caractères.",
      blank: "Ce ne sont que des espaces. Veuillez choisir quelque chose qui se lise.",
      common: "Beaucoup de gens ont ce mot de passe, il est donc essayé en premier. Veuillez en choisir un autre.",
      personal:
        "Ce n’est guère plus qu’un nom que d’autres connaissent, il est donc essayé en premier. Veuillez choisir autre chose.",
      wrong: "Ce n’est pas votre mot de passe actuel.",
      same: "C’est déjà votre mot de passe. Veuillez en choisir un autre.",
      not_repeated:
        "Les deux nouveaux mots de passe ne sont pas identiques. Veuillez saisir le nouveau encore une fois.",
    },
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Trop de tentatives avec un mot de passe incorrect. Veuillez réessayer dans une minute."
        : `Trop de tentatives avec un mot de passe incorrect. Veuillez réessayer dans ${minutes} minutes.`,
    change: {
      title: "Changer votre mot de passe",
      lead: "Vous restez connecté(e) ici. Partout ailleurs, vous serez déconnecté(e).",
      submit: "Changer le mot de passe",
      done: "Votre mot de passe est changé. Vous êtes déconnecté(e) partout ailleurs.",
      outOfDate: "Cette page n’était plus à jour et rien n’a été changé. Veuillez la remplir de nouveau.",
    },
    reset: {
      title: "Choisir un nouveau mot de passe",
      lead: (email) =>
        html`Pour le compte ${email}. Vous serez déconnecté(e) partout et pourrez ensuite vous connecter avec le nouveau mot de passe.`,
      submit: "Enregistrer le mot de passe",
      outOfDate: "Cette page n’était plus à jour et rien n’a été enregistré. Veuillez la remplir de nouveau.",
    },
    ended: {
      title: "Ce lien n’est plus valable",
      lead: "Un lien pour choisir un nouveau mot de passe sert une seule fois, pendant 30 minutes, et un lien plus récent y met fin. Si vous venez de choisir un mot de passe avec ce lien, connectez-vous avec celui-ci.",
      next: "Sinon, demandez un nouveau lien à notre support.",
    },
    forgot: {
      title: "Mot de passe oublié",
      lead: "Nous n’envoyons pas de mots de passe par e-mail. Vous recevez un lien de notre part et choisissez vous-même un nouveau mot de passe.",
      steps: [
        "Demandez à notre support un lien pour choisir un nouveau mot de passe. Indiquez l’adresse e-mail avec laquelle vous vous connectez.",
        "Ouvrez le lien dans les 30 minutes. Il sert une seule fois.",
        "Choisissez un nouveau mot de passe et connectez-vous avec celui-ci. Vos boutiques et vos applications reliées restent telles quelles. Si une application vous a envoyé ici, recommencez depuis cette application.",
      ],
      askHere: "Comment joindre notre support",
      back: "Retour à la connexion",
    },
  },
  consent: {
    title: (app) => `Relier ${app}`,
    heading: (app) => html`Relier ${app} à votre boutique\u00a0?`,
    lead: (host) => html`Quelle que soit votre décision, vous reviendrez sur ${host}.`,
    chooseShop: "Quelle boutique\u00a0?",
    oneShop: "Votre boutique",
    by: (publisher) => html`Par ${publisher}`,
    privacyPolicy: "Politique de confidentialité",
    wouldAllow: "Si vous approuvez, l’application pourra",
    personalData: "Données personnelles\u00a0:",
    notGranted: (plan) => `Non accordé\u00a0: non inclus dans le ${plan}.`,
    notGrantedWith: (plans) => `Non accordé pour les boutiques avec le ${plans}, où ce n’est pas inclus.`,
    lasts: "L’accès dure jusqu’à ce que vous y mettiez fin",
    ending: (link, duration) =>
      html`Vous pouvez le faire à tout moment sous ${link}. Il expire si l’application ne l’utilise pas pendant ${duration}.`,
    willNever:
      "L’application ne voit jamais votre mot de passe et n’a accès ni à ce qui ne figure pas ici ni à d’autres boutiques.",
    findShop: "Chercher une boutique par nom ou domaine",
    find: "Chercher",
    found: (found, all) => `${found} sur ${all} boutiques`,
    foundNone: "Aucune boutique trouvée. Essayez avec une partie du nom ou du domaine.",
    showAll: "Tout afficher",
    connectedNow: "Reliée",
    allowedNow: "Autorisé actuellement\u00a0:",
    adds: "Votre accord ajoute\u00a0:",
    drops: "Votre accord retire\u00a0:",
    unchanged: "Ce que l’application peut faire ne change pas.",
    replaces:
      "Votre accord remplace l’accès actuel de l’application. Elle n’aura le nouveau qu’après avoir fini de se relier.",
    paused: "Suspendue",
    pausedMeans: html`<b>Suspendue\u00a0:</b> Notre support a suspendu cette application pour la boutique. Veuillez contacter le support.`,
    unavailable: "Indisponible",
    unavailableMeans: html`<b>Indisponible\u00a0:</b> Le forfait de la boutique n’inclut rien de ce que l’application demande.`,
    away: "Inaccessible",
    awayMeans: html`<b>Inaccessible\u00a0:</b> Nous ne pouvons pas lire les connexions de cette boutique pour le moment. Veuillez réessayer dans quelques minutes.`,
    held: "Ne peut pas être choisie\u00a0: notre support a suspendu cette application pour cette boutique. Veuillez contacter le support.",
    approve: "Approuver",
    approveFor: (shop) => html`Approuver pour ${shop}`,
    decline: "Refuser",
    chooseFirst: "Veuillez d’abord choisir la boutique.",
    notOffered: "Cette boutique ne peut pas être choisie. Veuillez choisir l’une des boutiques ci-dessous.",
    changed: "Ce qui peut être accordé a changé depuis l’ouverture de cette page. Veuillez vérifier avant d’approuver.",
    otherAccount: "Vous êtes maintenant connecté(e) avec un autre compte. Veuillez vérifier avant d’approuver.",
    outOfDate: "Cette page n’était plus à jour et rien n’a été approuvé. Veuillez vérifier avant d’approuver.",
    noShops: "Il n’y a pas encore de boutique dans votre compte",
    noShopsLead:
      "Une application ne peut être reliée qu’à une boutique. Demandez à la personne propriétaire de la boutique de vous ajouter, ou utilisez un autre compte. Vous pouvez aussi revenir à l’application sans la relier.",
    back: (app) => html`Retour à ${app}`,
  },
  nothingToGrant: {
    title: (shops) =>
      shops === 1 ? "Votre boutique ne peut pas être reliée" : "Vos boutiques ne peuvent pas être reliées",
    lead: (app) => html`Rien ne peut être accordé à ${app} pour le moment.`,
    notInPlan: (asked, plan) =>
      `L’application demande «\u00a0${asked}\u00a0». Ce n’est pas inclus dans le ${plan}. Notre support vous renseigne sur les autres forfaits.`,
    notAllowed: "L’application ne peut plus demander cela. Veuillez en informer le développeur de l’application.",
    held: "Notre support a suspendu cette application. Veuillez contacter le support.",
    more: (shops) => (shops === 1 ? "1 autre boutique" : `${shops} autres boutiques`),
  },
  decline: {
    title: "Refuser cette demande\u00a0?",
    lead: (app, host) => html`${app} n’obtient aucun accès et vous revenez sur ${host}.`,
    back: "Retour",
  },
  returnToPartner: {
    title: "Vous retournez à l’application",
    lead: (app) => html`Nous vous redirigeons vers ${app}.`,
    link: "Continuer",
  },
  connectedApps: {
    title: "Applications reliées",
    lead: "Ces applications peuvent utiliser des données de vos boutiques. Vous pouvez retirer chacune d’elles, avec effet immédiat.",
    none: "Aucune application n’est reliée à cette boutique.",
    away: "Nous ne pouvons pas lire les connexions de cette boutique pour le moment. Rien n’y a changé. Veuillez réessayer dans quelques minutes.",
    noShops:
      "Il n’y a pas encore de boutique dans votre compte. Demandez au propriétaire d’une boutique de vous inviter.",
    can: "Autorisée à",
    connected: "Reliée",
    approvedBy: "Approuvée par",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Dernière utilisation",
    expires: "Accès",
    expiresIfUnused: (date) => html`Expire le ${date} sans utilisation d’ici là`,
    status: { connected: "Reliée", approved: "Pas encore terminée", expired: "Terminée", disabled: "Suspendue" },
    approved:
      "L’application a été approuvée, mais elle n’a pas encore fini de se relier. Elle n’aura accès qu’à ce moment-là. Si cela dure plus de quelques minutes, recommencez dans l’application.",
    expired:
      "L’application n’a pas utilisé son accès pendant longtemps, il a donc pris fin. Elle peut vous demander de la relier de nouveau.",
    disabled: "Notre support a suspendu cet accès. L’application n’a aucun accès pour le moment.",
    disconnect: "Retirer",
    records: (count, number) => (count === 1 ? "1 enregistrement" : `${number} enregistrements`),
    calls: (count, number) => (count === 1 ? "en 1 appel" : `en ${number} appels`),
    read: "Lu ces 30 derniers jours",
    readNothing: "Rien",
    howToConnect:
      "Pour en relier une, commencez dans l’application elle-même. Elle vous envoie ici, où vous choisissez la boutique et approuvez.",
    joined: (shop) => html`Vous pouvez maintenant relier des applications à ${shop}.`,
    disconnected: (app, shop) => html`L’application ${app} a été retirée et n’a plus accès à ${shop}.`,
  },
  disconnect: {
    title: (app) => `Retirer ${app}`,
    heading: (app, shop) => html`Retirer à ${app} l’accès à ${shop}\u00a0?`,
    lead: (app, shop) => html`${app} perd immédiatement son accès à ${shop}.`,
    consequences: (app) => [
      html`${app} ne peut plus rien lire ni ajouter.`,
      html`Le développeur de l’application conserve ce qui a été lu. Adressez-vous à lui si vous souhaitez l’effacer.`,
      html`Votre boutique et vos sondages restent tels quels. Vous pourrez relier l’application de nouveau plus tard.`,
    ],
    unfinished: (app, shop) =>
      html`${app} n’a pas encore fini de se relier à ${shop}. Si vous retirez l’application maintenant, votre accord ne vaut plus et elle n’obtient aucun accès. Vous pourrez la relier de nouveau plus tard.`,
    keep: "Conserver l’accès",
    outOfDate: "Cette page n’était plus à jour et rien n’a été modifié. Veuillez confirmer encore une fois.",
  },
  members: {
    title: (shop) => `Personnes de ${shop}`,
    heading: (shop) => html`Qui peut relier des applications à ${shop}`,
    lead: "Les membres relient et retirent des applications pour cette boutique. Les propriétaires ajoutent et retirent aussi des personnes.",
    listTitle: "Qui peut relier des applications",
    manage: "Ajouter ou retirer des personnes",
    ownersManage: "Un propriétaire de la boutique peut ajouter et retirer des personnes.",
    role: { owner: "Propriétaire", member: "Membre" },
    roleDoes: { owner: "ajoute et retire aussi des personnes", member: "relie et retire des applications" },
    you: "vous",
    remove: "Retirer la personne",
    waiting: "Invitations en attente de réponse",
    waitsUntil: (date) => html`Le lien fonctionne jusqu’au ${date}.`,
    withdraw: "Annuler l’invitation",
    add: "Ajouter une personne",
    addLead:
      "Vous recevez un lien et l’envoyez vous-même. Il fonctionne une seule fois, pour cette adresse seulement, pendant sept jours. Nous n’envoyons pas de courriel.",
    submit: "Créer un lien d’invitation",
    problem: {
      email: "Ce n’est pas une adresse e-mail complète, comme anna@shop.example.",
      already_member: "Cette personne fait déjà partie de la boutique.",
      too_many: "Cinquante invitations sont déjà en attente. Annulez-en une d’abord.",
      last_owner: "Une boutique garde au moins un propriétaire. Invitez d’abord un autre propriétaire.",
      out_of_date: "Cette page n’était plus à jour et rien n’a été modifié. Veuillez réessayer.",
    },
    done: {
      removed: "La personne a été retirée et n’a plus accès à cette boutique.",
      withdrawn: "L’invitation est annulée. Son lien ne fonctionne plus.",
    },
    made: {
      title: "Envoyez ce lien",
      lead: (email, date) =>
        html`Envoyez-le à ${email}. Il fonctionne une seule fois, pour cette adresse seulement, jusqu’au ${date}.`,
      once: "Le lien n’est affiché que maintenant. Si vous le perdez, invitez de nouveau l’adresse\u00a0: l’ancien lien prend alors fin.",
      link: "Lien d’invitation",
      mail: "Écrire un courriel",
      mailSubject: (shop) => `Invitation à rejoindre ${shop}`,
      mailText: (shop) =>
        `Avec ce lien, vous pouvez relier des applications à ${shop}. Il fonctionne une seule fois, pendant sept jours\u00a0:`,
      back: "Retour aux personnes de la boutique",
    },
    removal: {
      title: (name) => `Retirer ${name} de la boutique`,
      heading: (name, shop) => html`Retirer ${name} de ${shop}\u00a0?`,
      consequences: (name) => [
        html`${name} ne peut plus ouvrir les pages de cette boutique, dès maintenant.`,
        html`Les applications que ${name} a reliées le restent. Vous pouvez les retirer sous Applications reliées.`,
        html`Les invitations que ${name} a créées prennent fin.`,
      ],
      yourself: "Il s’agit de vous. Ensuite, vous ne pourrez plus ouvrir les pages de cette boutique.",
      keep: "Garder",
    },
  },
  invitation: {
    title: (shop) => `Invitation dans ${shop}`,
    heading: (inviter, shop) => html`${inviter} vous invite à rejoindre ${shop}`,
    lead: {
      owner: (shop) =>
        html`En tant que propriétaire, vous pouvez relier des applications à ${shop}, les retirer, et ajouter ou retirer des personnes.`,
      member: (shop) => html`Vous pourrez alors relier des applications à ${shop} et les retirer.`,
    },
    accept: "Accepter",
    forAnother: (email) =>
      html`Cette invitation est pour ${email}, et vous êtes connecté(e) avec un autre compte. Utilisez ce compte-là pour l’accepter.`,
    haveAccount: "Vous avez un compte\u00a0?",
    newHere: "Vous êtes nouveau ici\u00a0?",
    name: "Votre nom",
    create: "Créer le compte",
    ready:
      "Connectez-vous pour accepter l’invitation. Si vous aviez déjà un compte avec cette adresse e-mail, c’est toujours son mot de passe qui compte.",
    problem: {
      name: "Veuillez saisir un nom que les autres peuvent lire, de 100 caractères au plus.",
      out_of_date: "Cette page n’était plus à jour et rien n’a été modifié. Veuillez la relire.",
    },
    ended: {
      title: "Cette invitation a pris fin",
      lead: "Une invitation fonctionne une seule fois et pendant sept jours. Elle a pu être acceptée, annulée ou remplacée par une plus récente.",
      next: "Si vous l’avez acceptée, connectez-vous simplement. Sinon, demandez un nouveau lien au propriétaire de la boutique.",
    },
  },
  account: {
    signedInAs: (merchant, email) => html`Connecté(e) en tant que ${merchant} (${email})`,
    useAnother: "Utiliser un autre compte",
    signOut: "Se déconnecter",
    signOutEverywhere: "Se déconnecter de tous les appareils",
    changePassword: "Changer de mot de passe",
  },
  failure: {
    invalid_link: {
      title: "Ce lien ne fonctionne pas",
      lead: (app) =>
        html`${app} vous a envoyé ici avec une demande que nous ne pouvons pas accepter. Rien n’a été partagé. Veuillez revenir à l’application et réessayer. Si cela se reproduit, informez-en le développeur de l’application.`,
    },
    client_disabled: {
      title: "Cette application ne peut pas être reliée",
      lead: (app) =>
        html`${app} ne peut relier aucune boutique pour le moment. Rien n’a été partagé. Veuillez vous adresser au développeur de l’application.`,
    },
    ended: {
      title: "Cette demande est terminée",
      lead: "Elle a déjà reçu une réponse, a duré trop longtemps ou a été commencée dans un autre navigateur. Plus rien ne se passe ici. Pour relier une boutique, revenez à l’application et recommencez.",
    },
    foreign_form: {
      title: "Nous n’avons pas accepté cet envoi",
      lead: "Ce qui a été envoyé ne venait pas de l’une de nos pages, nous n’avons donc rien fait. Veuillez revenir en arrière et réessayer.",
    },
    bad_request: {
      title: "Nous n’avons pas pu lire cet envoi",
      lead: "Ce que votre navigateur a envoyé était incomplet, nous n’avons donc rien fait. Veuillez revenir en arrière et réessayer.",
    },
    not_found: {
      title: "Il n’y a rien ici",
      lead: "L’adresse contient peut-être une erreur, ou la page n’existe plus.",
    },
    too_many_requests: {
      title: "Trop de demandes",
      lead: "De nombreuses demandes sont venues de votre réseau en peu de temps. Veuillez attendre une minute et réessayer.",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      lead: "Nous ne pouvons pas répondre pour le moment. Rien n’a été perdu et rien n’a été partagé. Veuillez réessayer dans quelques secondes.",
    },
    unexpected: {
      title: "Une erreur s’est produite chez nous",
      lead: "L’erreur vient de nous. Veuillez réessayer. Si cela se reproduit, indiquez à notre support le numéro ci-dessous.",
    },
  },
  failurePage: { unnamedApp: "L’application", forDevelopers: "Pour les développeurs", requestId: "Demande" },
  noServer: {
    lead: "Nous ne pouvons pas répondre pour le moment. Veuillez patienter quelques secondes, puis réessayer.",
    tryAgain: "Réessayer",
  },
};
